import { readVin } from '../../domain/facts/facts-from-text.ts';
import { readTitle } from '../../domain/titles/vehicle-title.ts';
import { isVehicle, type Raw, typesOf, unwrapItem } from '../marketplace-items/item/unwrap-item.ts';
import { elementsOf, type HtmlNode, parseHtml } from '../record/parse-html.ts';
import { type Fields, fieldsOf, isRecord, nestedFieldsOf, pairsOf, textOf } from '../record/record-fields.ts';
import { linkedNodes, type Node } from './markup/linked-nodes.ts';
import { readAnnotations } from './markup/read-annotations.ts';
import { jsonLdReader } from './markup/read-json-ld.ts';

export interface VehiclesInPage {
  /** The cars of the page, each a record that the reader of marketplace items understands. */
  vehicles: Raw[];
  /** Whether the page has any markup of schema.org, of cars or of other things. */
  hasMarkup: boolean;
  /** Whether the page is so large that only its beginning was read. */
  isCut: boolean;
}

const MAX_SCRIPTS = 200;
const MAX_SCRIPT = 2 * 1024 * 1024;

function jsonLdIn(nodes: readonly HtmlNode[]): unknown[] {
  const scripts = [...elementsOf(nodes)].filter(
    ({ name, attribs }) => name === 'script' && /^\s*application\/ld\+json/i.test(attribs.type ?? ''),
  );
  const readJsonLd = jsonLdReader();
  return scripts.slice(0, MAX_SCRIPTS).flatMap(({ children }) => {
    const text = children.map((child) => ('data' in child ? child.data : '')).join('');
    const value = text.length > MAX_SCRIPT ? undefined : readJsonLd(text);
    return value === undefined ? [] : [value];
  });
}

function baseOf(nodes: readonly HtmlNode[], url: string): string {
  const [base] = [...elementsOf(nodes)].filter(({ name, attribs }) => name === 'base' && attribs.href !== undefined);
  return URL.parse(base?.attribs.href ?? '', url)?.href ?? url;
}

const stockNames = ['sku', 'stocknumber', 'productid', 'identifier'];

/** A car of the page, with what it is known by, which is read once. */
interface Car {
  raw: Raw;
  fields: Fields;
  vin: string | null;
  stock: string | null;
  id: string | null;
}

/** The `@id` of a node, unless it belongs to the site and not to the car, as `https://dealer.example/#product` does. */
function nodeIdOf(fields: Fields): string | null {
  const id = textOf(fields, '@id');
  if (id === null || !URL.canParse(id)) return id;
  const { pathname, search } = new URL(id);
  return pathname.length > 1 || search !== '' ? id : null;
}

function carOf(raw: Raw): Car {
  const fields = fieldsOf(raw);
  const details = fieldsOf(raw, pairsOf(raw.additionalProperty));
  const numbered = textOf(details, ...stockNames);
  return {
    raw,
    fields,
    vin: readVin(textOf(details, 'vehicleidentificationnumber', 'vin')) ?? readVin(numbered),
    stock: numbered ?? textOf(nestedFieldsOf(fields, 'offers'), 'sku'),
    id: nodeIdOf(fields),
  };
}

/** Whether it has what only a car has that is for sale; a car that is reviewed or described has none of it. */
const isOffered = ({ fields, vin, stock }: Car): boolean =>
  ['offers', '@offer', 'mileagefromodometer', 'itemcondition'].some((name) => fields.has(name)) ||
  vin !== null ||
  stock !== null;

/** Whether a product without a field of vehicles is a car by its name. */
function isCarByName(raw: Raw, now: Date): boolean {
  const { make, year, notACar } = readTitle(textOf(fieldsOf(raw), 'name') ?? '', now);
  return make !== null && year !== null && !notACar;
}

const isProduct = (raw: Raw) => typesOf(raw).some((type) => /^(?:individual)?product$/i.test(type));

/** Whether two nodes of one page describe the same car. */
function isSame(a: Car, b: Car): boolean {
  if (a.vin !== null && b.vin !== null) return a.vin === b.vin;
  if (a.stock !== null && b.stock !== null) return a.stock === b.stock;
  return a.id !== null && a.id === b.id;
}

/** Whether two nodes, each the only one of its kind on the page, are one car: nothing contradicts it. */
function mayBeSame(a: Car, b: Car, now: Date): boolean {
  const differ = (one: string | number | null, other: string | number | null) =>
    one !== null && other !== null && one !== other;
  const titleOf = ({ fields }: Car) => readTitle(textOf(fields, 'name') ?? '', now);
  const [one, other] = [titleOf(a), titleOf(b)];
  return !(
    differ(a.vin, b.vin) ||
    differ(a.stock, b.stock) ||
    differ(one.make, other.make) ||
    differ(one.model, other.model) ||
    differ(one.year, other.year)
  );
}

const MAX_CARS = 500;
const MAX_FIELDS = 500;

/** The first with the fields of the second that it lacks, unless it has very many. */
const joined = (first: Car, second: Car): Car =>
  first.fields.size < MAX_FIELDS ? carOf({ ...second.raw, ...first.raw }) : first;

/**
 * The cars of one page, each once.
 * @param vehicles what each syntax says, the most reliable first
 * @param products the same of products that are cars by their names; where there are vehicles these only add to them
 */
function distinct(vehicles: readonly Raw[][], products: readonly Raw[][], now: Date): Car[] {
  const found: Car[] = [];
  const put = (group: readonly Raw[], mayAdd: boolean) => {
    const alone = group.length === 1 && found.length === 1;
    for (const car of group.slice(0, MAX_CARS).map(carOf)) {
      const at = found.findIndex((known) => isSame(known, car) || (alone && mayBeSame(known, car, now)));
      const known = found[at];
      if (known) found[at] = joined(known, car);
      else if (mayAdd && found.length < MAX_CARS) found.push(car);
    }
  };
  for (const group of vehicles) put(group, true);
  const hasVehicles = found.length > 0;
  for (const group of products) put(group, !hasVehicles);
  return found;
}

const hasAddress = (raw: unknown): raw is Node =>
  isRecord(raw) && (isRecord(raw.address) || typeof raw.address === 'string');
const isDealer = (node: Node) =>
  typesOf(node).some((type) => /dealer|^(?:organization|localbusiness|store|automotivebusiness)$/i.test(type));

/** The address of the dealer whose page it is: of all that the page names, if they are one. */
function dealerOf(nodes: readonly Node[]): Node | null {
  const dealers = [
    ...nodes,
    ...nodes.flatMap((node) => [node.publisher, node.provider, node.seller, node.about]),
  ].filter((node): node is Node => hasAddress(node) && isDealer(node));
  const places = new Set(dealers.map(({ address }) => JSON.stringify(address)));
  return places.size === 1 ? (dealers[0] ?? null) : null;
}

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : value === undefined ? [] : [value]);

/** Offers to buy, where there are others to lease. */
function offersToBuy(offers: unknown): unknown {
  const bought = asList(offers).filter(
    (offer) => !/lease|rent/i.test(textOf(fieldsOf(offer), 'businessfunction') ?? ''),
  );
  return bought.length > 0 && Array.isArray(offers) ? bought : offers;
}

function sellerTypeOf(raw: Raw, dealer: Node | null): string | undefined {
  const sellers = [...asList(raw.offers), raw].flatMap((one) =>
    isRecord(one) ? [one.seller, one.offeredBy, one.dealer].filter(isRecord) : [],
  );
  if ([...sellers, ...(dealer ? [dealer] : [])].some(isDealer)) return 'dealer';
  return sellers.some((seller) => typesOf(seller).includes('Person')) ? 'private' : undefined;
}

/** The address of the car's own page, of the same site; else that of the page that it stands on. */
function pageOf({ fields }: Car, page: URL): string {
  const stated = textOf(fields, 'url') ?? textOf(nestedFieldsOf(fields, 'offers'), 'url');
  const url = URL.parse(stated ?? '', page);
  return url?.host === page.host && (url.pathname !== '/' || url.search !== '') ? url.href : page.href;
}

/** The car as a record with the id, page, seller and place that the page makes known. */
function asRecord(car: Car, page: URL, dealer: Node | null, isAlone: boolean): Raw {
  const { raw } = car;
  const url = pageOf(car, page);
  const own = car.vin ?? car.stock ?? car.id ?? textOf(car.fields, '@offer');
  // Of several cars without an id on one page each is known by its name.
  const name = (textOf(car.fields, 'name') ?? '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 80);
  const id = own ?? (isAlone || url !== page.href ? url.split('#')[0] : `${page.href}#${name}`);
  const { url: _, '@id': __, '@offer': ___, identifier: ____, productID: _____, ...fields } = raw;
  const sellerType = sellerTypeOf(raw, dealer);
  return {
    ...fields,
    id,
    url,
    offers: offersToBuy(raw.offers),
    ...(fields.sellerType === undefined && sellerType !== undefined && { sellerType }),
    ...(fields.dealer === undefined && dealer !== null && { dealer: { address: dealer.address, geo: dealer.geo } }),
  };
}

/** The vehicles that nodes of schema.org describe, for sale or not. */
const vehiclesOf = (nodes: readonly Node[]): Raw[] =>
  nodes.length === 0 ? [] : unwrapItem({ '@graph': nodes }).filter(isVehicle);

/** The products of the nodes that are cars by their names. */
const productsOf = (nodes: readonly Node[], now: Date): Raw[] =>
  nodes
    .flatMap((node) => (isProduct(node) ? [node] : unwrapItem(node)))
    .filter((raw) => isProduct(raw) && !isVehicle(raw) && isCarByName(raw, now));

/**
 * The cars that a page describes for sale by schema.org's `Car`, `Vehicle` or `Product`, in JSON-LD, microdata or RDFa Lite,
 * each once. @param url the address of the page
 */
export function vehiclesInPage(html: string, url: string, now: Date): VehiclesInPage {
  const page = new URL(url);
  page.hash = '';
  const { nodes: document, isCut } = parseHtml(html);
  const base = baseOf(document, url);
  const scripted = linkedNodes(jsonLdIn(document), base);
  const annotated = linkedNodes(readAnnotations(document), base);
  const both = [scripted, annotated];
  const cars = distinct(
    both.map(vehiclesOf),
    both.map((nodes) => productsOf(nodes, now)),
    now,
  ).filter(isOffered);
  const dealer = dealerOf([...scripted, ...annotated]);
  return {
    vehicles: cars.map((car) => asRecord(car, page, dealer, cars.length === 1)),
    hasMarkup: scripted.length + annotated.length > 0,
    isCut,
  };
}
