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

const detailsOf = (raw: Raw): Fields => fieldsOf(raw, pairsOf(raw.additionalProperty));
const vinOf = (raw: Raw): string | null => {
  const fields = detailsOf(raw);
  return (
    [readVin(textOf(fields, 'vehicleidentificationnumber', 'vin')), readVin(textOf(fields, ...stockNames))].find(
      (vin) => vin !== null,
    ) ?? null
  );
};
const stockOf = (raw: Raw): string | null =>
  textOf(detailsOf(raw), ...stockNames) ?? textOf(nestedFieldsOf(fieldsOf(raw), 'offers'), 'sku');

/** The `@id` of a node, unless it belongs to the site and not to the car, as `https://dealer.example/#product` does. */
function nodeIdOf(raw: Raw): string | null {
  const id = textOf(fieldsOf(raw), '@id');
  if (id === null || !URL.canParse(id)) return id;
  const { pathname, search } = new URL(id);
  return pathname.length > 1 || search !== '' ? id : null;
}

/** What only a car has that is for sale; a car that is reviewed or described has none of it. */
function isOffered(raw: Raw): boolean {
  const fields = fieldsOf(raw);
  return (
    ['offers', '@offer', 'mileagefromodometer', 'itemcondition'].some((name) => fields.has(name)) ||
    vinOf(raw) !== null ||
    stockOf(raw) !== null
  );
}

/** Whether a product without a field of vehicles is a car by its name. */
function isCarByName(raw: Raw, now: Date): boolean {
  const { make, year, notACar } = readTitle(textOf(fieldsOf(raw), 'name') ?? '', now);
  return make !== null && year !== null && !notACar;
}

const isProduct = (raw: Raw) => typesOf(raw).some((type) => /^(?:individual)?product$/i.test(type));

/** Whether two nodes of one page describe the same car. */
function isSame(a: Raw, b: Raw): boolean {
  const [vinA, vinB] = [vinOf(a), vinOf(b)];
  if (vinA !== null && vinB !== null) return vinA === vinB;
  const [stockA, stockB] = [stockOf(a), stockOf(b)];
  if (stockA !== null && stockB !== null) return stockA === stockB;
  const [idA, idB] = [nodeIdOf(a), nodeIdOf(b)];
  return idA !== null && idA === idB;
}

/** Whether two nodes, each the only one of its kind on the page, are one car: nothing contradicts it. */
function mayBeSame(a: Raw, b: Raw, now: Date): boolean {
  const differs = (read: (raw: Raw) => string | number | null) => {
    const [one, other] = [read(a), read(b)];
    return one !== null && other !== null && one !== other;
  };
  const titleOf = (raw: Raw) => readTitle(textOf(fieldsOf(raw), 'name') ?? '', now);
  return (
    !differs(vinOf) &&
    !differs(stockOf) &&
    !differs((raw) => titleOf(raw).make) &&
    !differs((raw) => titleOf(raw).model) &&
    !differs((raw) => titleOf(raw).year)
  );
}

/** The fields of the first, completed by those of the second. */
const joined = (first: Raw, second: Raw): Raw => ({ ...second, ...first });

const MAX_CARS = 500;

/**
 * The cars of one page, each once.
 * @param vehicles what each syntax says, the most reliable first
 * @param products the same of products that are cars by their names; where there are vehicles these only add to them
 */
function distinct(vehicles: readonly Raw[][], products: readonly Raw[][], now: Date): Raw[] {
  const found: Raw[] = [];
  const put = (group: readonly Raw[], mayAdd: boolean) => {
    const alone = group.length === 1 && found.length === 1;
    for (const raw of group.slice(0, MAX_CARS)) {
      const at = found.findIndex((known) => isSame(known, raw) || (alone && mayBeSame(known, raw, now)));
      const known = found[at];
      if (known) found[at] = joined(known, raw);
      else if (mayAdd && found.length < MAX_CARS) found.push(raw);
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
function pageOf(raw: Raw, page: URL): string {
  const stated = textOf(fieldsOf(raw), 'url') ?? textOf(nestedFieldsOf(fieldsOf(raw), 'offers'), 'url');
  const url = URL.parse(stated ?? '', page);
  return url?.host === page.host && (url.pathname !== '/' || url.search !== '') ? url.href : page.href;
}

/** The car as a record with the id, page, seller and place that the page makes known. */
function asRecord(raw: Raw, page: URL, dealer: Node | null, isAlone: boolean): Raw {
  const url = pageOf(raw, page);
  const own = vinOf(raw) ?? stockOf(raw) ?? nodeIdOf(raw) ?? textOf(fieldsOf(raw), '@offer');
  // Of several cars without an id on one page each is known by its name.
  const name = (textOf(fieldsOf(raw), 'name') ?? '')
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
  const document = parseHtml(html);
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
    vehicles: cars.map((raw) => asRecord(raw, page, dealer, cars.length === 1)),
    hasMarkup: scripted.length + annotated.length > 0,
  };
}
