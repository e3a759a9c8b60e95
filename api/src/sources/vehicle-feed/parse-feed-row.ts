import { modelsOf } from '../../domain/catalogue.ts';
import { findPrepayment } from '../../domain/cautions/prepayment.ts';
import { withTextFacts } from '../../domain/descriptions/stated-facts.ts';
import {
  milesOf,
  readColor,
  readCondition,
  readMileage,
  readTransmission,
  readVin,
} from '../../domain/facts/facts-from-text.ts';
import {
  kindsInTitle,
  readBody,
  readDrive,
  readFuel,
  readSeller,
  readTitleStatus,
} from '../../domain/facts/kinds-from-text.ts';
import {
  type ListingFacts,
  ListingStatus,
  type ParsedRecord,
  type RejectCode,
  rejected,
  unreadReason,
} from '../../domain/facts/listing-facts.ts';
import { isDollars, isForeignAmount, type PriceReading, readAmount, statedPrice } from '../../domain/facts/price.ts';
import { cleanTitle, nameKey } from '../../domain/titles/title-words.ts';
import { readTitle, type TitleReading } from '../../domain/titles/vehicle-title.ts';
import { readTrim } from '../../domain/trims/find-trim.ts';
import {
  boundRecord,
  type Fields,
  fieldsOf,
  isRecord,
  recordPhotos,
  recordUrl,
  textOf,
} from '../record/record-fields.ts';
import { placeFault, recordPlace } from '../record/record-place.ts';
import type { ParseContext } from '../source-body.ts';
import { type FeedRow, feedRowId, nestedColumns } from './feed-row.ts';
import { MAX_ROW } from './formats/read-delimited.ts';
import { feedAddress, readPhotoCell, readPseudoObject } from './parse-feed-place.ts';

interface FeedVehicle {
  make: string;
  model: string | null;
  year: number | null;
  /** A name from the columns, for a row without a title. */
  name: string;
}

type Refusal = { code: RejectCode; reason: string };

const FIRST_YEAR = 1900;
const unstated = /^(n\/?a|none|null|unknown|other|unspecified|-+|\.)$/i;
/** Kinds of vehicle that are no cars; `commercial` and `other` may be cars. */
const otherKinds =
  /boat|vessel|watercraft|jet.?ski|motor.?(cycle|bike)|scooter|moped|bicycle|power.?sport|\batv\b|\butv\b|side.by.side|snowmobile|recreational|\brvs?\b|rv_|camper|motor.?home|fifth.wheel|aircraft|airplane|golf|\bparts?\b|accessor|\btires?\b/i;
/** Kinds that are no cars unless a word of `carKinds` is with them, as in `heavy duty truck`. */
const heavyKinds = /trailer|tractor|heavy|equipment/i;
const carKinds = /\bcars?\b|truck|suv|\bvan\b/i;
const isOtherKind = (kind: string) => otherKinds.test(kind) || (heavyKinds.test(kind) && !carKinds.test(kind));

/** A cell's text, `''` where it is blank or a word for nothing. */
const statedCell = (row: FeedRow, name: string): string => {
  const value = [row[name]].flat()[0];
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim().slice(0, 200) : '';
  return unstated.test(text) ? '' : text;
};

/** The column of the year: a refusal where it is no model year, null where it is blank. */
function yearOf(row: FeedRow, now: Date): number | null | Refusal {
  const text = statedCell(row, 'year');
  if (text === '') return null;
  const year = /^\d{4}(\.0+)?$/.test(text) ? Number(text) : Number.NaN;
  const inRange = year >= FIRST_YEAR && year <= now.getUTCFullYear() + 1;
  return inRange ? year : { code: 'BAD_YEAR', reason: `${text.slice(0, 40)} is no model year.` };
}

/** Reads make, model and trim. Where the model alone is ambiguous, as Silverado is, the trim may decide: 2500 LT. */
function readColumns(row: FeedRow, year: number | null, now: Date): TitleReading | null {
  const name = [year, statedCell(row, 'make'), statedCell(row, 'model')].filter((part) => part !== null && part !== '');
  if (name.length === (year === null ? 0 : 1)) return null;
  const plain = readTitle(name.join(' '), now);
  const own =
    plain.make && modelsOf(plain.make).find(({ label }) => nameKey(label) === nameKey(statedCell(row, 'model')));
  if (own) return { ...plain, model: own.value };
  const trim = statedCell(row, 'trim');
  if (trim === '') return plain;
  const full = readTitle([...name, trim].join(' '), now);
  return full.make === plain.make && full.model !== null && !full.notACar ? full : plain;
}

/** Whether a title says so little against a car that the columns for make and model outweigh it. */
const isDoubtful = ({ evidence }: TitleReading) => evidence !== null && evidence > -COLUMNS_EVIDENCE;
const COLUMNS_EVIDENCE = 3;

/**
 * The car of a row: by its columns for make, model, trim and year, else by its title; or why it is none. A VIN or an
 * odometer shows that a whole car is offered, whatever else the title names.
 */
export function parseFeedVehicle(row: FeedRow, title: string, isWhole: boolean, now: Date): FeedVehicle | Refusal {
  const kind = [statedCell(row, 'vehicle_type'), statedCell(row, 'body_style')].find(isOtherKind);
  if (kind !== undefined) return { code: 'NOT_A_CAR', reason: `It is offered as ${kind.slice(0, 80)}.` };
  const year = yearOf(row, now);
  if (year !== null && typeof year === 'object') return year;
  const columns = readColumns(row, year, now);
  const titled = readTitle(title, now);
  if (columns?.notACar || (titled.notACar && !(columns?.make && (isWhole || isDoubtful(titled))))) {
    return { code: 'NOT_A_CAR', reason: 'What it names is no whole car.' };
  }
  const make = statedCell(row, 'make');
  const unknownMake =
    make !== '' && !columns?.make && (titled.otherMake || title.toLowerCase().includes(make.toLowerCase()));
  const found = columns?.make ? columns : titled.make && !unknownMake ? titled : null;
  if (!found?.make) {
    return make !== '' || columns?.otherMake || titled.otherMake
      ? { code: 'UNKNOWN_MAKE', reason: 'The make is not in the catalogue.' }
      : { code: 'NOT_A_CAR', reason: 'Neither the columns nor the title name a car.' };
  }
  const other = titled.make === found.make ? titled.model : null;
  const name = [statedCell(row, 'year'), make, statedCell(row, 'model'), statedCell(row, 'trim')].filter(
    (part) => part !== '',
  );
  return { make: found.make, model: found.model ?? other, year: year ?? titled.year, name: name.join(' ') };
}

const isForeign = (currency: string | null) => currency !== null && currency.trim() !== '' && !isDollars(currency);

function readCell(value: unknown, currency: string | null): PriceReading | null {
  const first = [value].flat()[0];
  if (isRecord(first)) {
    const stated = typeof first.currency === 'string' ? first.currency : currency;
    return readCell(first.value ?? first.amount, stated);
  }
  if (typeof first === 'number') return isForeign(currency) ? { price: null } : statedPrice(first);
  if (typeof first !== 'string' || first.trim() === '') return null;
  const text = first.slice(0, 100).replace(/(\d)[\s\u00a0\u202f](?=\d{3}(?!\d))/g, '$1');
  if (/^\s*[-+]?(nan|inf|\d[\d.,]{0,40}e\+?\d{3})/i.test(text)) return { fault: 'the price is no number' };
  if (isForeignAmount(text) || isForeign(currency)) return { price: null };
  const amount = readAmount(text);
  return amount === null ? { price: null } : statedPrice(amount);
}

/** The price of the row's car: the lower of price and sale price, each only if it is stated in US dollars. */
function parseFeedPrice(row: FeedRow): PriceReading {
  const currency = typeof row.currency === 'string' ? row.currency : null;
  const asked = readCell(row.price, currency);
  if (asked && 'fault' in asked) return asked;
  const sale = readCell(row.sale_price, currency);
  const stated = [asked, sale].flatMap((one) => (one && 'price' in one && one.price !== null ? one.price : []));
  return { price: stated.length > 0 ? Math.min(...stated) : null };
}

const MAX_ID = 200;
const DAY_MS = 86_400_000;
const EARLIEST_LISTING = Date.UTC(2004, 0, 1);

/** A cell as text; of an element with attributes its value. */
function cellOf(row: FeedRow, name: string): string | null {
  const value = [row[name]].flat()[0];
  return textOf(fieldsOf({ cell: isRecord(value) ? value.value : value }), 'cell');
}

function mileageOf(row: FeedRow): number | null {
  const given = [row.mileage].flat()[0];
  const text = cellOf(row, 'mileage') ?? '';
  const read = readPseudoObject(text);
  const value = read ? textOf(fieldsOf(read), 'value') : text;
  const unit = textOf(fieldsOf(read ?? given), 'unit', 'units');
  const plain = (value ?? '').replace(
    /^(\d{1,3})((?:[, ]\d{3})+)(\.\d+)?$/,
    (_, head: string, tail: string) => head + tail.replace(/[, ]/g, ''),
  );
  return /^\d+(\.\d+)?$/.test(plain) ? milesOf(Number(plain), unit) : readMileage(plain);
}

function photosOf(row: FeedRow): string[] {
  const listed = [row.image]
    .flat(2)
    .flatMap((image) => (typeof image === 'string' ? readPhotoCell(image) : [photoIn(image)]));
  return recordPhotos(fieldsOf({ images: listed.flat(2).map(photoIn) }));
}

/** An image's address. The `url` of an image may itself be an element with attributes. */
function photoIn(image: unknown): unknown {
  if (!isRecord(image)) return image;
  const address = [image.url ?? image.link ?? image.value].flat()[0];
  return isRecord(address) ? address.value : (address ?? image);
}

function statusOf(row: FeedRow): ListingStatus {
  const availability = (cellOf(row, 'availability') ?? '').toLowerCase().replace(/[\s_-]+/g, ' ');
  if (/\bsold\b/.test(availability)) return ListingStatus.sold;
  if (/pending|reserved|on hold/.test(availability)) return ListingStatus.pending;
  const isGone = /not available|unavailable|out of stock|discontinued|inactive/.test(availability);
  return isGone ? ListingStatus.gone : ListingStatus.forSale;
}

/** The day on which the car came to the lot; a day without a time begins in UTC. */
function listedAt(row: FeedRow, now: Date): Date | null {
  const text = (cellOf(row, 'date_first_on_lot') ?? '').slice(0, 40);
  const [, month, day, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) ?? [];
  const iso =
    year && month && day ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : text.replace(' ', 'T');
  const days = cellOf(row, 'days_on_lot') ?? '';
  const counted = /^\d{1,5}$/.test(days) ? now.getTime() - Number(days) * DAY_MS : Number.NaN;
  const at = /^\d{4}-\d\d-\d\d/.test(iso) ? Date.parse(iso) : counted;
  return Number.isFinite(at) && at >= EARLIEST_LISTING ? new Date(Math.min(at, now.getTime())) : null;
}

const readText = <T>(text: string | null, read: (text: string) => T | null): T | null =>
  text === null ? null : read(text);

function placeFieldsOf(row: FeedRow, { gazetteer }: ParseContext): Fields {
  const point = { latitude: cellOf(row, 'latitude'), longitude: cellOf(row, 'longitude') };
  return fieldsOf({ ...point, address: feedAddress(row, gazetteer) });
}

/** A column that a reader adds to a row whose place it could not find: why. */
export const UNKNOWN_STORE = 'unknown_store';

/**
 * The facts of one row of Meta's vehicle catalogue, from any format of feed, or why it is rejected. Never throws.
 * @param raw values by column name, flattened or nested
 * @param size characters of the row, where its reader has not checked them
 * Source: developers.facebook.com/docs/marketing-api/auto-ads/reference
 */
export function parseFeedRow(raw: FeedRow, context: ParseContext, size = 0): ParsedRecord {
  const row = nestedColumns(boundRecord(raw));
  const externalId = feedRowId(row);
  const reject = (code: RejectCode, reason: string) => rejected('feed', externalId, code, reason, JSON.stringify(raw));
  if (externalId === null) return reject('NO_ID', 'The row has no vehicle_id.');
  if (externalId.length > MAX_ID) return reject('NO_ID', `The id is longer than ${MAX_ID} characters.`);
  if (size > MAX_ROW) return reject('TOO_LARGE', 'The row is larger than 256 KB.');
  try {
    const read = parseRow(row, externalId, context);
    return 'code' in read ? reject(read.code, read.reason) : { facts: read };
  } catch (error) {
    return reject('MALFORMED', unreadReason(error));
  }
}

function parseRow(row: FeedRow, externalId: string, context: ParseContext): ListingFacts | Refusal {
  const title = cleanTitle(cellOf(row, 'title') ?? '');
  const mileageMiles = mileageOf(row);
  const vin = readVin(cellOf(row, 'vin'));
  const car = parseFeedVehicle(row, title, mileageMiles !== null || vin !== null, context.now);
  if ('code' in car) return car;
  const price = parseFeedPrice(row);
  if ('fault' in price) return { code: 'BAD_PRICE', reason: `No price of a car: ${price.fault}.` };
  const store = cellOf(row, UNKNOWN_STORE);
  if (store !== null) return { code: 'BAD_PLACE', reason: `Where the car is, is not known: ${store}` };
  const place = placeFieldsOf(row, context);
  const fault = placeFault(place);
  if (fault !== null) return { code: 'BAD_PLACE', reason: `No place of a car: ${fault}.` };
  const description = cellOf(row, 'description');
  const trim = statedCell(row, 'trim');
  const ofTrim = kindsInTitle(trim);
  const stated: ListingFacts = {
    externalId,
    title: title || cleanTitle(car.name),
    make: car.make,
    model: car.model,
    year: car.year,
    price: price.price,
    mileageMiles,
    vin,
    prepayment: findPrepayment(title, description),
    transmission: readText(cellOf(row, 'transmission'), readTransmission),
    color: readText(cellOf(row, 'exterior_color') ?? cellOf(row, 'color'), readColor),
    condition:
      readText(cellOf(row, 'condition'), readCondition) ?? readText(cellOf(row, 'state_of_vehicle'), readCondition),
    trim: readTrim(trim, car.make, car.model),
    fuel: readText(cellOf(row, 'fuel_type'), readFuel) ?? ofTrim.fuel,
    drive: readText(cellOf(row, 'drivetrain'), readDrive) ?? ofTrim.drive,
    body: readText(cellOf(row, 'body_style'), readBody) ?? ofTrim.body,
    titleStatus: readText(cellOf(row, 'title_status'), readTitleStatus),
    seller:
      readText(cellOf(row, 'seller_type'), readSeller) ??
      (cellOf(row, 'dealer_id') || cellOf(row, 'dealer_name') ? 'dealer' : null),
    ...recordPlace(place, context.gazetteer),
    images: photosOf(row),
    url: recordUrl(fieldsOf({ url: urlOf(row) }), externalId),
    listedAt: listedAt(row, context.now),
    status: statusOf(row),
  };
  return withTextFacts(stated, description);
}

/** The first address of the row; `<link href="…">` has it in an attribute. */
function urlOf(row: FeedRow): string | null {
  const given = [row.url].flat().map((value) => (isRecord(value) ? (value.href ?? value.value) : value));
  return given.find((text): text is string => typeof text === 'string' && /^\s*https?:/i.test(text)) ?? null;
}
