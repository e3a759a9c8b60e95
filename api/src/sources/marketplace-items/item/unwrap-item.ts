import { kindOf } from '../../../domain/adverts/car-for-sale.ts';
import { type Fields, fieldsOf, isRecord, textsOf } from '../../record/record-fields.ts';

/** A record as its source wrote it. */
export type Raw = Record<string, unknown>;

/** A site's list of offers is nested so deep: graph, page, list, element, offer, car. */
const MAX_DEPTH = 6;
const titles = ['marketplacelistingtitle', 'listingtitle', 'customtitle', 'title'];

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);

/** The items of a schema.org offer, each with the offer as a field. */
function offered(offer: unknown): Raw[] {
  if (!isRecord(offer) || offer.itemOffered === undefined) return [];
  return asList(offer.itemOffered)
    .filter(isRecord)
    .map((item) => ({ ...item, offers: offer, '@offer': offer['@id'] ?? offer.identifier ?? offer.sku }));
}

/** The types of a node of schema.org. */
export const typesOf = (raw: Raw): string[] => textsOf(fieldsOf(raw), '@type');

/** Types that are named after cars and are none: `AutoDealer`, `AutoBodyShop`, `EngineSpecification`. */
const notAThing = /(?:dealer|shop|store|business|organization|specification|action)$/i;
const ownFields = [
  'vehiclemodeldate',
  'mileagefromodometer',
  'vehicleidentificationnumber',
  'vehicletransmission',
  'vehicleengine',
  'vehicleconfiguration',
  'drivewheelconfiguration',
];

/** Whether a node of schema.org is a vehicle, by its type or by a field that only vehicles have. */
export function isVehicle(raw: Raw): boolean {
  const fields = fieldsOf(raw);
  if (ownFields.some((name) => fields.has(name))) return true;
  return textsOf(fields, '@type', 'additionaltype').some(
    (type) => !notAThing.test(type) && ['car', 'motorcycle', 'machine'].includes(kindOf(type) ?? ''),
  );
}

/** The vehicles of a graph, else those inside its nodes, else its products, else the contents of its nodes. */
function ofGraph(nodes: Raw[], depth: number): Raw[] {
  const vehicles = nodes.filter(isVehicle);
  if (vehicles.length > 0) return vehicles;
  const inner = nodes.flatMap((node) => unwrapItem(node, depth - 1)).filter(isVehicle);
  if (inner.length > 0) return inner;
  const products = nodes.filter((node) => typesOf(node).includes('Product'));
  return products.length > 0 ? products : nodes.flatMap((node) => inside(node, depth - 1));
}

function ofList(raw: Raw): Raw[] {
  return typesOf(raw).includes('BreadcrumbList') ? [] : asList(raw.itemListElement).filter(isRecord);
}

/** Offers, each followed by those inside it. */
function* offersIn(offers: unknown): Generator<Raw> {
  for (const offer of asList(offers)) {
    if (!isRecord(offer)) continue;
    yield offer;
    for (const inner of asList(offer.offers)) if (isRecord(inner)) yield inner;
  }
}

function inside(raw: Raw, depth: number): Raw[] {
  if (isRecord(raw.listing)) return [raw.listing];
  if (Array.isArray(raw['@graph'])) return ofGraph(raw['@graph'].filter(isRecord), depth);
  // An item that was taken out of an offer has that offer.
  const own = raw.offers === undefined || '@offer' in raw || isVehicle(raw) ? [] : offersIn(raw.offers);
  const offers = [...asList(raw.makesOffer), raw, ...own].flatMap(offered);
  const listed = offers.length > 0 ? offers : ofList(raw);
  if (listed.length > 0) return listed;
  const titled = fieldsOf(raw);
  if (titles.some((name) => titled.has(name))) return [];
  return [raw.node, raw.item, raw.mainEntity, raw.hasOfferCatalog].filter(isRecord).slice(0, 1);
}

/**
 * The records inside a wrapper, at any depth: under `listing` or `node`, in schema.org's `makesOffer`, `@graph`,
 * `itemListElement`, `hasOfferCatalog` or `mainEntity`; the record itself where it is no wrapper.
 */
export function unwrapItem(raw: Raw, depth = MAX_DEPTH): Raw[] {
  const inner = depth > 0 ? inside(raw, depth) : [];
  return inner.length > 0 ? inner.flatMap((one) => unwrapItem(one, depth - 1)) : [raw];
}

const MAX_OFFERS = 50;

/** The offers of an item, those inside an aggregate offer too; none where it has no object of an offer. */
export function offersOf(item: Fields): Fields[] {
  const found: Fields[] = [];
  for (const offer of offersIn(item.get('offers'))) {
    if (found.push(fieldsOf(offer)) === MAX_OFFERS) break;
  }
  return found;
}
