import { kindOf } from '../../../domain/offers/offer-kind.ts';
import { type Fields, fieldsOf, isRecord, pairsOf, textsOf } from './parse-item-fields.ts';

type Raw = Record<string, unknown>;

const MAX_DEPTH = 4;
const titles = ['marketplacelistingtitle', 'listingtitle', 'customtitle', 'title'];

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);

/** schema.org: the thing that an offer offers, with the offer as its own. */
function offered(offer: unknown): Raw[] {
  if (!isRecord(offer) || offer.itemOffered === undefined) return [];
  return asList(offer.itemOffered)
    .filter(isRecord)
    .map((item) => ({ ...item, offers: offer, '@offer': offer['@id'] ?? offer.identifier ?? offer.sku }));
}

const isVehicle = (raw: unknown): raw is Raw =>
  isRecord(raw) &&
  (['vehicleModelDate', 'mileageFromOdometer', 'vehicleIdentificationNumber'].some((name) => raw[name] !== undefined) ||
    textsOf(fieldsOf(raw), '@type').some((type) => ['car', 'motorcycle', 'machine'].includes(kindOf(type) ?? '')));

function inside(raw: Raw): Raw[] {
  if (isRecord(raw.listing)) return [raw.listing];
  if (Array.isArray(raw['@graph'])) {
    const nodes = raw['@graph'];
    const vehicles = nodes.filter(isVehicle);
    return vehicles.length > 0 ? vehicles : nodes.filter(isRecord).flatMap(inside);
  }
  const offers = [...asList(raw.makesOffer), raw].flatMap(offered);
  if (offers.length > 0) return offers;
  const titled = fieldsOf(raw);
  if (titles.some((name) => titled.has(name))) return [];
  return [raw.node, raw.item, raw.mainEntity].filter(isRecord).slice(0, 1);
}

/**
 * The records inside a wrapper, as deep as they lie: under `listing` or `node`, in schema.org's `makesOffer`, `@graph`
 * or `mainEntity`; the record itself where it wraps nothing.
 */
export function unwrapItem(raw: Raw, depth = MAX_DEPTH): Raw[] {
  const inner = depth > 0 ? inside(raw) : [];
  return inner.length > 0 ? inner.flatMap((one) => unwrapItem(one, depth - 1)) : [raw];
}

/** The fields of an unwrapped record, those of its own objects of details among them. */
export function itemFields(item: Raw): Fields {
  const details = [item.listing_details, item.listingDetails, item.vehicle, item.vehicle_info, item.vehicleInfo];
  const pairs = [item.attributes, item.attribute_data, item.additionalProperty].map(pairsOf);
  // A search page's place is a name; the details add the coordinates.
  const locations = [item, ...details].flatMap((one) => (isRecord(one) && isRecord(one.location) ? one.location : []));
  const location = locations.length > 1 ? { location: Object.fromEntries(fieldsOf(...locations)) } : undefined;
  return fieldsOf(location, item, ...details, ...pairs);
}
