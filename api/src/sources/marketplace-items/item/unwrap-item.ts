import { kindOf } from '../../../domain/adverts/car-for-sale.ts';
import { type Fields, fieldsOf, isRecord, pairsOf, textsOf } from '../../record/record-fields.ts';

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

const typesOf = (raw: Raw) => textsOf(fieldsOf(raw), '@type');

const isVehicle = (raw: Raw) =>
  ['vehicleModelDate', 'mileageFromOdometer', 'vehicleIdentificationNumber'].some((name) => raw[name] !== undefined) ||
  typesOf(raw).some((type) => ['car', 'motorcycle', 'machine'].includes(kindOf(type) ?? ''));

/** The vehicles of a graph, else its products, else what lies inside its nodes. */
function ofGraph(nodes: Raw[]): Raw[] {
  const vehicles = nodes.filter(isVehicle);
  const products = nodes.filter((node) => typesOf(node).includes('Product'));
  return vehicles.length > 0 ? vehicles : products.length > 0 ? products : nodes.flatMap(inside);
}

function ofList(raw: Raw): Raw[] {
  if (!Array.isArray(raw.itemListElement) || typesOf(raw).includes('BreadcrumbList')) return [];
  return raw.itemListElement.filter(isRecord);
}

function inside(raw: Raw): Raw[] {
  if (isRecord(raw.listing)) return [raw.listing];
  if (Array.isArray(raw['@graph'])) return ofGraph(raw['@graph'].filter(isRecord));
  const offers = [...asList(raw.makesOffer), raw].flatMap(offered);
  const listed = offers.length > 0 ? offers : ofList(raw);
  if (listed.length > 0) return listed;
  const titled = fieldsOf(raw);
  if (titles.some((name) => titled.has(name))) return [];
  return [raw.node, raw.item, raw.mainEntity].filter(isRecord).slice(0, 1);
}

/**
 * The records inside a wrapper, as deep as they lie: under `listing` or `node`, in schema.org's `makesOffer`, `@graph`,
 * `itemListElement` or `mainEntity`; the record itself where it wraps nothing.
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
