import { findPrepayment } from '../../../domain/cautions/prepayment.ts';
import { withTextFacts } from '../../../domain/descriptions/stated-facts.ts';
import { readColor, readCondition, readTransmission, readVin } from '../../../domain/facts/facts-from-text.ts';
import {
  type KindFacts,
  kindsInTitle,
  readBody,
  readDrive,
  readFuel,
  readSeller,
  readTitleStatus,
} from '../../../domain/facts/kinds-from-text.ts';
import {
  type ListingFacts,
  ListingStatus,
  type ParsedRecord,
  type RejectCode,
  rejected,
  unreadReason,
} from '../../../domain/facts/listing-facts.ts';
import { cleanTitle } from '../../../domain/titles/title-words.ts';
import { readTrim } from '../../../domain/trims/find-trim.ts';
import {
  booleanOf,
  boundRecord,
  type Fields,
  fieldsOf,
  isRecord,
  nestedFieldsOf,
  pairsOf,
  recordPhotos,
  recordUrl,
  textOf,
} from '../../record/record-fields.ts';
import { placeFault, recordPlace } from '../../record/record-place.ts';
import type { ParseContext } from '../../source-body.ts';
import { isFeedRow } from '../../vehicle-feed/feed-row.ts';
import { parseFeedRow } from '../../vehicle-feed/parse-feed-row.ts';
import { parseItemPrice } from './parse-item-price.ts';
import { itemSubtitles, parseItemMileage, parseItemVehicle } from './parse-item-vehicle.ts';
import { offersOf, type Raw, unwrapItem } from './unwrap-item.ts';

const idNames = [
  'id',
  'productid',
  'listingid',
  'itemid',
  'externalid',
  'vehicleid',
  '@id',
  'identifier',
  'sku',
  'stocknumber',
  'vehicleidentificationnumber',
  'vin',
  '@offer',
];

/** The address of the item's page as its id, as schema.org has it; a site's front page identifies nothing. */
function idOfPage(fields: Fields): string | null {
  if (!fields.has('@type')) return null;
  const address = textOf(fields, 'url') ?? textOf(nestedFieldsOf(fields, 'offers'), 'url');
  if (address === null || !URL.canParse(address)) return null;
  const { origin, pathname, search } = new URL(address);
  return pathname === '/' && search === '' ? null : `${origin}${pathname}${search}`;
}

/**
 * The permanent id of an item at its source: its own, else its wrapper's, its offer's or its page's; null when there is
 * none. @param wrapper the fields of the object that the item was in
 */
function parseItemId(item: Fields, wrapper: Fields): string | null {
  return textOf(item, ...idNames) ?? textOf(wrapper, 'id', 'productid', 'listingid', 'itemid') ?? idOfPage(item);
}

/** The fields of an unwrapped record, including those of its objects of details. */
function itemFields(item: Raw): Fields {
  const details = [item.listing_details, item.listingDetails, item.vehicle, item.vehicle_info, item.vehicleInfo];
  const pairs = [item.attributes, item.attribute_data, item.additionalProperty].map(pairsOf);
  // A search page's place is a name; the details add the coordinates.
  const locations = [item, ...details].flatMap((one) => (isRecord(one) && isRecord(one.location) ? one.location : []));
  const location = locations.length > 1 ? { location: Object.fromEntries(fieldsOf(...locations)) } : undefined;
  return fieldsOf(location, item, ...details, ...pairs);
}

const MAX_RECORD = 256 * 1024;
/** JSON up to this length is not larger than a record may be, however its numbers are written. */
const MAX_UNPRINTED = MAX_RECORD / 8;
const MAX_ID = 200;
const titleNames = ['marketplacelistingtitle', 'listingtitle', 'customtitle', 'title', 'name'];
const timeNames = [
  'creationtime',
  'timestamp',
  'listedat',
  'listingdate',
  'datelisted',
  'dateposted',
  'postedat',
  'datepublished',
  'publishedat',
  'createdat',
  'created',
];
const EARLIEST_LISTING = Date.UTC(2004, 0, 1);

/** JSON has no infinite numbers: `1e999` would be stored as null, which a later retry would accept. */
const keepInfinite = (_key: string, value: unknown): unknown =>
  value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY ? String(value) : value;

/** Not an Error, as capturing its stack took a tenth of the time to read items. */
class Rejected {
  readonly code: RejectCode;
  readonly message: string;
  constructor(code: RejectCode, reason: string) {
    this.code = code;
    this.message = reason;
  }
}

function parseId(item: Fields, wrapper: Fields): string {
  const id = parseItemId(item, wrapper);
  if (id === null) throw new Rejected('NO_ID', 'The item has no id.');
  if (id.length > MAX_ID) throw new Rejected('NO_ID', `The id is longer than ${MAX_ID} characters.`);
  return id;
}

const sold = /(?<![a-z]|not[ _-])sold|out ?of ?stock|discontinued/i;
const pending = /\bpending|reserved/i;

/** The status by availability. An item is for sale while one of its offers is. */
function parseStatus(fields: Fields): ListingStatus {
  const own = textOf(fields, 'availability', 'status', 'salestatus') ?? '';
  const offers = offersOf(fields).flatMap((offer) => textOf(offer, 'availability') ?? []);
  const all = (words: RegExp) => words.test(own) || (offers.length > 0 && offers.every((one) => words.test(one)));
  if (booleanOf(fields, 'issold') || all(sold)) return ListingStatus.sold;
  if (booleanOf(fields, 'ispending') || all(pending)) return ListingStatus.pending;
  return booleanOf(fields, 'islive') === false || booleanOf(fields, 'ishidden')
    ? ListingStatus.gone
    : ListingStatus.forSale;
}

function parseListedAt(fields: Fields, now: Date): Date | null {
  const stated = textOf(fields, ...timeNames);
  if (stated === null) return null;
  const number = Number(stated);
  // Seconds until the year 5138, milliseconds beyond.
  const at = Number.isFinite(number) ? number * (number < 1e11 ? 1000 : 1) : Date.parse(stated);
  if (!Number.isFinite(at) || at < EARLIEST_LISTING) return null;
  return new Date(Math.min(at, now.getTime()));
}

function readText<T>(text: string | null, read: (text: string) => T | null): T | null {
  return text === null ? null : read(text);
}

/** What the fields state; the name of the trim may also state the body or the drive: `Sport Utility 4D`. */
function parseKinds(fields: Fields, trim: string | null): KindFacts {
  const read = <T>(readOne: (text: string) => T | null, ...names: string[]) =>
    readText(textOf(fields, ...names), readOne);
  const hasDealer = textOf(fields, 'dealershipname', 'dealername') !== null;
  const ofTrim = trim === null ? null : kindsInTitle(trim);
  return {
    fuel:
      read(readFuel, 'vehiclefueltype', 'fueltype', 'fuel') ??
      readText(textOf(nestedFieldsOf(fields, 'vehicleengine'), 'fueltype'), readFuel) ??
      ofTrim?.fuel ??
      null,
    drive:
      read(readDrive, 'vehicledrivetrain', 'drivewheelconfiguration', 'drivetrain', 'drivetype', 'drive') ??
      ofTrim?.drive ??
      null,
    body: read(readBody, 'vehiclebodystyle', 'bodystyle', 'bodytype', 'vehiclebodytype') ?? ofTrim?.body ?? null,
    titleStatus: read(readTitleStatus, 'vehicletitlestatus', 'titlestatus'),
    seller: read(readSeller, 'vehiclesellertype', 'sellertype') ?? (hasDealer ? 'dealer' : null),
  };
}

function parseFields(fields: Fields, externalId: string, { gazetteer, now }: ParseContext): ListingFacts {
  const title = cleanTitle(textOf(fields, ...titleNames) ?? '');
  const description = textOf(fields, 'description', 'redacteddescription', 'marketplacelistingdescription');
  const price = parseItemPrice(fields, title, ...itemSubtitles(fields), description);
  const mileageMiles = parseItemMileage(fields);
  const car = parseItemVehicle(fields, title, { price: 'price' in price ? price.price : null, mileageMiles, now });
  if ('code' in car) throw new Rejected(car.code, car.reason);
  if ('fault' in price) throw new Rejected('BAD_PRICE', `No price of a car: ${price.fault}.`);
  const nowhere = placeFault(fields);
  if (nowhere !== null) throw new Rejected('BAD_PLACE', `No place: ${nowhere}.`);
  const trim = textOf(fields, 'vehicletrimdisplayname', 'vehicletrim', 'vehicleconfiguration', 'trim', 'trimlevel');
  const stated: ListingFacts = {
    externalId,
    title: title || car.name,
    make: car.make,
    model: car.model,
    year: car.year,
    price: price.price,
    mileageMiles,
    vin: readVin(textOf(fields, 'vin', 'vehicleidentificationnumber')),
    prepayment: findPrepayment(title, description),
    transmission: readText(
      textOf(fields, 'vehicletransmissiontype', 'vehicletransmission', 'transmission'),
      readTransmission,
    ),
    color: readText(textOf(fields, 'vehicleexteriorcolor', 'exteriorcolor', 'color', 'colour'), readColor),
    condition:
      readText(textOf(fields, 'vehiclecondition'), readCondition) ??
      readText(textOf(fields, 'condition', 'itemcondition'), readCondition) ??
      readText(textOf(nestedFieldsOf(fields, 'offers'), 'itemcondition'), readCondition),
    trim: trim === null ? null : readTrim(trim, car.make, car.model),
    ...parseKinds(fields, trim),
    ...recordPlace(fields, gazetteer),
    images: recordPhotos(fields),
    url: recordUrl(fields, externalId),
    listedAt: parseListedAt(fields, now),
    status: parseStatus(fields),
  };
  return withTextFacts(stated, description);
}

/** A rejected item. @param record the item as text */
export function rejectItem(externalId: string | null, code: RejectCode, reason: string, record: string): ParsedRecord {
  return rejected('items', externalId, code, reason, record);
}

/**
 * The facts of one marketplace item, in any of the shapes that marketplaces and their exports use, or why it is
 * rejected. Never throws. @param raw one item, bare or under `listing` @param textLength of its JSON, where that is known
 */
export function parseMarketplaceItem(raw: unknown, context: ParseContext, textLength?: number): ParsedRecord {
  let length: number;
  // Only a rejected item is stored as text, and a replacer is slow.
  const json = () => JSON.stringify(raw, keepInfinite) ?? String(raw);
  try {
    const isShort = textLength !== undefined && textLength <= MAX_UNPRINTED;
    length = isShort ? textLength : (JSON.stringify(raw) ?? '').length;
  } catch {
    return rejectItem(null, 'MALFORMED', 'The item is not valid JSON.', '');
  }
  if (!isRecord(raw)) return rejectItem(null, 'MALFORMED', 'The item is no object.', json());
  let externalId: string | null = null;
  try {
    const bounded = boundRecord(raw);
    const [item = bounded, ...others] = unwrapItem(bounded);
    if (others.length === 0 && isFeedRow(item)) return parseFeedRow(item, context, length);
    const fields = itemFields(item);
    if (others.length > 0) throw new Rejected('MALFORMED', 'It holds several cars: each has to be an item of its own.');
    externalId = parseId(fields, fieldsOf(bounded, bounded.node));
    if (length > MAX_RECORD) throw new Rejected('TOO_LARGE', 'The item is larger than 256 KB.');
    return { facts: parseFields(fields, externalId, context) };
  } catch (error) {
    if (error instanceof Rejected) return rejectItem(externalId, error.code, error.message, json());
    return rejectItem(externalId, 'MALFORMED', unreadReason(error), json());
  }
}
