import { readColor } from '../../domain/facts/color.ts';
import { readCondition } from '../../domain/facts/condition.ts';
import {
  type ListingFacts,
  ListingStatus,
  type ParsedRecord,
  type RejectCode,
} from '../../domain/facts/listing-facts.ts';
import { milesOf, readMileage } from '../../domain/facts/mileage.ts';
import { rejected } from '../../domain/facts/rejection.ts';
import { readTransmission } from '../../domain/facts/transmission.ts';
import { cleanTitle } from '../../domain/titles/title-words.ts';
import type { ParseContext } from '../source-body.ts';
import { type Fields, fieldsOf, flagOf, innerOf, isRecord, numberOf, textOf, unwrapped } from './parse-item-fields.ts';
import { parseItemPhotos, parseItemUrl } from './parse-item-links.ts';
import { parseItemPlace } from './parse-item-place.ts';
import { parseItemPrice } from './parse-item-price.ts';
import { parseItemVehicle } from './parse-item-vehicle.ts';

const MAX_RECORD = 256 * 1024;
const MAX_ID = 200;
const EARLIEST_LISTING = Date.UTC(2004, 0, 1);

class Rejected extends Error {
  readonly code: RejectCode;
  constructor(code: RejectCode, reason: string) {
    super(reason);
    this.code = code;
  }
}

function parseId(fields: Fields): string {
  const id = textOf(
    fields,
    'id',
    'productid',
    'listingid',
    'itemid',
    '@id',
    'identifier',
    'sku',
    'vehicleidentificationnumber',
  );
  if (id === null) throw new Rejected('NO_ID', 'The item has no id.');
  if (id.length > MAX_ID) throw new Rejected('NO_ID', `The id is longer than ${MAX_ID} characters.`);
  return id;
}

function parseMileage(fields: Fields): number | null {
  const odometer = innerOf(fields, 'vehicleodometerdata', 'mileagefromodometer', 'mileage');
  const value = numberOf(odometer, 'value') ?? numberOf(fields, 'mileage', 'odometer', 'vehiclemileage');
  if (value !== null) return milesOf(value, textOf(odometer, 'unit', 'unitcode', 'unittext'));
  const subtitles = fields.get('customsubtitleswithrenderingflags');
  const texts = Array.isArray(subtitles)
    ? subtitles.slice(0, 10).map((line) => textOf(fieldsOf(line), 'subtitle'))
    : [];
  for (const text of [textOf(fields, 'mileage', 'odometer'), ...texts]) {
    const miles = text === null ? null : readMileage(text);
    if (miles !== null) return miles;
  }
  return null;
}

function parseStatus(fields: Fields): ListingStatus {
  const availability =
    textOf(innerOf(fields, 'offers'), 'availability') ?? textOf(fields, 'availability', 'status') ?? '';
  if (flagOf(fields, 'issold') || /sold/i.test(availability)) return ListingStatus.sold;
  if (flagOf(fields, 'ispending') || /pending/i.test(availability)) return ListingStatus.pending;
  return flagOf(fields, 'islive') === false || flagOf(fields, 'ishidden') ? ListingStatus.gone : ListingStatus.forSale;
}

function parseListedAt(fields: Fields, now: Date): Date | null {
  const stated = textOf(fields, 'creationtime', 'timestamp', 'listedat', 'listingdate', 'dateposted', 'createdat');
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

function parseFields(fields: Fields, externalId: string, { gazetteer, now }: ParseContext): ListingFacts {
  const title = cleanTitle(
    textOf(fields, 'marketplacelistingtitle', 'listingtitle', 'customtitle', 'title', 'name') ?? '',
  );
  const price = parseItemPrice(fields);
  const mileageMiles = parseMileage(fields);
  const car = parseItemVehicle(fields, title, { price: 'price' in price ? price.price : null, mileageMiles, now });
  if ('code' in car) throw new Rejected(car.code, car.reason);
  if ('fault' in price) throw new Rejected('BAD_PRICE', `No price of a car: ${price.fault}.`);
  return {
    externalId,
    title: title || car.title,
    make: car.make,
    model: car.model,
    year: car.year,
    price: price.price,
    mileageMiles,
    transmission: readText(
      textOf(fields, 'vehicletransmissiontype', 'vehicletransmission', 'transmission'),
      readTransmission,
    ),
    color: readText(textOf(fields, 'vehicleexteriorcolor', 'exteriorcolor', 'color', 'colour'), readColor),
    condition:
      readText(textOf(fields, 'vehiclecondition'), readCondition) ??
      readText(textOf(fields, 'condition', 'itemcondition'), readCondition),
    ...parseItemPlace(fields, gazetteer),
    images: parseItemPhotos(fields),
    url: parseItemUrl(fields, externalId),
    listedAt: parseListedAt(fields, now),
    status: parseStatus(fields),
  };
}

/** A record set aside. @param record what came in, as text */
export function rejectItem(externalId: string | null, code: RejectCode, reason: string, record: string): ParsedRecord {
  return rejected('items', externalId, code, reason, record);
}

/**
 * The facts of one marketplace item, in any of the shapes that marketplaces and their exports use, or why it is set
 * aside. Never throws. @param raw one item, bare or under `listing`
 */
export function parseMarketplaceItem(raw: unknown, context: ParseContext): ParsedRecord {
  let json: string;
  try {
    json = JSON.stringify(raw) ?? String(raw);
  } catch {
    return rejectItem(null, 'MALFORMED', 'The item is no JSON.', '');
  }
  if (!isRecord(raw)) return rejectItem(null, 'MALFORMED', 'The item is no object.', json);
  const item = unwrapped(raw);
  const fields = fieldsOf(item, item.listing_details, item.listingDetails);
  let externalId: string | null = null;
  try {
    externalId = parseId(fields);
    if (json.length > MAX_RECORD) throw new Rejected('TOO_LARGE', 'The item is larger than 256 KB.');
    return { facts: parseFields(fields, externalId, context) };
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    return rejectItem(externalId, error.code, error.message, json);
  }
}
