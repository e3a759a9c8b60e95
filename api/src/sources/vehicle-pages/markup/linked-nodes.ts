import { decodeHTMLStrict } from 'entities';
import { isRecord } from '../../record/record-fields.ts';

/** A node of schema.org: an object with a type and properties. */
export type Node = Record<string, unknown>;

const MAX_DEPTH = 24;
const MAX_NODES = 20_000;
/** The nodes, and the texts and numbers in them. */
const MAX_VALUES = 200_000;
const MAX_PROPERTIES = 500;
const MAX_LIST = 10_000;

const bareName = (name: string): string => name.replace(/^(?:https?:\/\/(?:www\.)?schema\.org\/|schema:)/i, '');

/** Names of properties that hold addresses, which may be relative to the page. */
const addresses = new Set(['url', 'image', 'images', 'photo', 'photos', 'contentUrl', 'thumbnailUrl', 'src', '@id']);

function absolute(text: string, base: string): string {
  const address = text.trim();
  return address === '' ? address : (URL.parse(address, base)?.href ?? address);
}

function plainText(text: string, name: string, base: string): string {
  const decoded = text.includes('&') ? decodeHTMLStrict(text) : text;
  if (addresses.has(name)) return absolute(decoded, base);
  return name === '@type' ? bareName(decoded.trim()) : decoded.replace(/^https?:\/\/(?:www\.)?schema\.org\//i, '');
}

/** How much may still be copied of a page. */
class Allowance {
  private nodes = MAX_NODES;
  private values = MAX_VALUES;

  takes(value: unknown): boolean {
    const isNode = typeof value === 'object' && value !== null;
    return this.values-- > 0 && (!isNode || this.nodes-- > 0);
  }
}

/** Copies values with bare names, decoded texts and absolute addresses, down to a certain depth and number. */
class Plain {
  private readonly allowance = new Allowance();
  private readonly base: string;
  constructor(base: string) {
    this.base = base;
  }

  value(value: unknown, name: string, depth: number): unknown {
    if (!this.allowance.takes(value)) return null;
    if (typeof value === 'string') return plainText(value, name, this.base);
    if (typeof value !== 'object' || value === null) return value;
    if (depth === 0) return null;
    if (Array.isArray(value)) return value.slice(0, MAX_LIST).map((one) => this.value(one, name, depth - 1));
    const node = value as Node;
    const listed = node['@list'] ?? node['@set'];
    if (listed !== undefined) return this.value(listed, name, depth - 1);
    if (node['@value'] !== undefined) return this.value(node['@value'], name, depth - 1);
    // Without a prototype: a property may be called `__proto__`.
    const copy: Node = Object.create(null);
    for (const key of Object.keys(node).slice(0, MAX_PROPERTIES)) {
      const bare = bareName(key);
      if (bare !== '@context' && copy[bare] === undefined) copy[bare] = this.value(node[key], bare, depth - 1);
    }
    return copy;
  }
}

const idOf = (node: Node): string | null =>
  typeof node['@id'] === 'string' && node['@id'] !== '' ? node['@id'] : null;

/** Whether a node says nothing but which one it is. */
const isReference = (node: Node) =>
  idOf(node) !== null && Object.keys(node).every((name) => name === '@id' || name === '@type');

/** The nodes of values, with those of their graphs. */
function flattened(values: readonly unknown[], depth = 4): Node[] {
  return values.flatMap((value) => {
    if (Array.isArray(value)) return depth > 0 ? flattened(value, depth - 1) : [];
    if (!isRecord(value)) return [];
    const graph = value['@graph'];
    if (graph === undefined || depth === 0) return [value];
    return flattened([graph].flat(), depth - 1);
  });
}

function index(nodes: readonly Node[]): Map<string, Node> {
  const byId = new Map<string, Node>();
  const stack: [unknown, number][] = nodes.map((node) => [node, MAX_DEPTH]);
  for (let next = stack.pop(); next; next = stack.pop()) {
    const [value, depth] = next;
    if (typeof value !== 'object' || value === null || depth === 0) continue;
    if (isRecord(value) && !isReference(value)) {
      const id = idOf(value);
      const known = id === null ? undefined : byId.get(id);
      // What is said of one node in several places is true of it together.
      if (known && known !== value) for (const name of Object.keys(value)) known[name] ??= value[name];
      else if (id !== null) byId.set(id, value);
    }
    for (const inner of Object.values(value)) stack.push([inner, depth - 1]);
  }
  return byId;
}

/** Puts nodes in the place of references to them. A node is not put into itself, and all of it has an end. */
class Resolver {
  private readonly allowance = new Allowance();
  private readonly byId: ReadonlyMap<string, Node>;
  constructor(byId: ReadonlyMap<string, Node>) {
    this.byId = byId;
  }

  resolve(value: unknown, within: readonly string[], depth: number): unknown {
    if (!this.allowance.takes(value)) return null;
    if (typeof value !== 'object' || value === null) return value;
    if (depth === 0) return null;
    if (Array.isArray(value)) return value.map((one) => this.resolve(one, within, depth - 1));
    const node = value as Node;
    const id = idOf(node);
    if (id !== null && within.includes(id)) return isReference(node) ? node : { '@id': id };
    const target = id !== null && isReference(node) ? (this.byId.get(id) ?? node) : node;
    const inside = id === null ? within : [...within, id];
    const copy: Node = Object.create(null);
    for (const name of Object.keys(target)) copy[name] = this.resolve(target[name], inside, depth - 1);
    return copy;
  }
}

const MAX_OFFERED = 1_000;

/** Adds an offer that refers to a node to that node, which the reader of items looks at. */
function addOffers(nodes: readonly Node[], byId: ReadonlyMap<string, Node>): void {
  for (const offer of nodes) {
    for (const offered of [offer.itemOffered].flat().slice(0, MAX_OFFERED)) {
      const id = isRecord(offered) && isReference(offered) ? idOf(offered) : null;
      const target = id === null ? undefined : byId.get(id);
      if (target === undefined || target.offers !== undefined) continue;
      const { itemOffered: _, ...terms } = offer;
      target.offers = terms;
    }
  }
}

/**
 * The nodes of schema.org in a page's values, with bare names (`Car` for `https://schema.org/Car`), decoded entities,
 * absolute addresses, and the nodes themselves where others refer to them by `@id`.
 * @param values the values of JSON-LD, or items of microdata
 * @param base the address that relative ones count from
 */
export function linkedNodes(values: readonly unknown[], base: string): Node[] {
  const plain = new Plain(base);
  const nodes = flattened(values.map((value) => plain.value(value, '', MAX_DEPTH)));
  const byId = index(nodes);
  addOffers(nodes, byId);
  const resolver = new Resolver(byId);
  return nodes.map((node) => resolver.resolve(node, [], MAX_DEPTH)).filter(isRecord);
}
