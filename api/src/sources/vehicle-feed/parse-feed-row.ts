import {
  milesOf,
  readColor,
  readCondition,
  readMileage,
  readTransmission,
} from '../../domain/facts/facts-from-text.ts';
import { ListingStatus, type ParsedRecord, type RejectCode, rejected } from '../../domain/facts/listing-facts.ts';
import { isDollars, isForeignAmount, type PriceReading, readAmount, statedPrice } from '../../domain/facts/price.ts';
import { readVin } from '../../domain/same-car/car-probe.ts';
import { cleanTitle } from '../../domain/titles/title-words.ts';
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
import { parseFeedVehicle } from './parse-feed-vehicle.ts';

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

/** What a row's car costs: the lower of price and sale price, each as far as it is stated in US dollars. */
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

/** A cell as text; of an element with attributes what it holds. */
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

/** `url` of an image's object may itself be an element with attributes. */
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

/**
 * The facts of one row of Meta's vehicle catalogue, whatever feed it lay in, or why it is set aside. Never throws.
 * @param raw values by column name, flattened or nested
 * @param size characters of the row, where its reader did not see to it
 * Source: developers.facebook.com/docs/marketing-api/auto-ads/reference
 */
export function parseFeedRow(raw: FeedRow, context: ParseContext, size = 0): ParsedRecord {
  const row = nestedColumns(boundRecord(raw));
  const externalId = feedRowId(row);
  const reject = (code: RejectCode, reason: string) => rejected('feed', externalId, code, reason, JSON.stringify(raw));
  if (externalId === null) return reject('NO_ID', 'The row has no vehicle_id.');
  if (externalId.length > MAX_ID) return reject('NO_ID', `The id is longer than ${MAX_ID} characters.`);
  if (size > MAX_ROW) return reject('TOO_LARGE', 'The row is larger than 256 KB.');
  const title = cleanTitle(cellOf(row, 'title') ?? '');
  const mileageMiles = mileageOf(row);
  const vin = readVin(cellOf(row, 'vin'));
  const car = parseFeedVehicle(row, title, mileageMiles !== null || vin !== null, context.now);
  if ('code' in car) return reject(car.code, car.reason);
  const price = parseFeedPrice(row);
  if ('fault' in price) return reject('BAD_PRICE', `No price of a car: ${price.fault}.`);
  const place = placeFieldsOf(row, context);
  const fault = placeFault(place);
  if (fault !== null) return reject('BAD_PLACE', `No place of a car: ${fault}.`);
  return {
    facts: {
      externalId,
      title: title || cleanTitle(car.name),
      make: car.make,
      model: car.model,
      year: car.year,
      price: price.price,
      mileageMiles,
      vin,
      transmission: readText(cellOf(row, 'transmission'), readTransmission),
      color: readText(cellOf(row, 'exterior_color') ?? cellOf(row, 'color'), readColor),
      condition:
        readText(cellOf(row, 'condition'), readCondition) ?? readText(cellOf(row, 'state_of_vehicle'), readCondition),
      ...recordPlace(place, context.gazetteer),
      images: photosOf(row),
      url: recordUrl(fieldsOf({ url: urlOf(row) }), externalId),
      listedAt: listedAt(row, context.now),
      status: statusOf(row),
    },
  };
}

/** `<link href="…">` holds its address in an attribute; of several the first that is one. */
function urlOf(row: FeedRow): string | null {
  for (const value of [row.url].flat()) {
    const text = isRecord(value) ? (value.href ?? value.value) : value;
    if (typeof text === 'string' && /^\s*https?:/i.test(text)) return text;
  }
  return null;
}
