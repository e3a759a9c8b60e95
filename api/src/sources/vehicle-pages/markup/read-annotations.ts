import { elementsOf, type HtmlElement, type HtmlNode, isElement, textIn } from '../../record/parse-html.ts';
import { isRecord } from '../../record/record-fields.ts';

type Item = Record<string, unknown>;

/** The attributes that annotate a page's elements: those of microdata, and of RDFa Lite, which means the same. */
interface Syntax {
  property: string;
  isItem: (element: HtmlElement) => boolean;
  typesOf: (element: HtmlElement) => string;
  id: string;
}

const microdata: Syntax = {
  property: 'itemprop',
  isItem: ({ attribs }) => 'itemscope' in attribs,
  typesOf: ({ attribs }) => attribs.itemtype ?? '',
  id: 'itemid',
};

const rdfaLite: Syntax = {
  property: 'property',
  isItem: ({ attribs }) => 'typeof' in attribs,
  typesOf: ({ attribs }) => attribs.typeof ?? '',
  id: 'resource',
};

const addressAttributes: Readonly<Record<string, string>> = {
  a: 'href',
  area: 'href',
  link: 'href',
  audio: 'src',
  embed: 'src',
  iframe: 'src',
  img: 'src',
  source: 'src',
  track: 'src',
  video: 'src',
  object: 'data',
};

/** A property's value. `content` counts on any element, as search engines read it. Source: HTML §5.2.4 (microdata). */
function propertyText(element: HtmlElement, longest: number, spend: (looked: number) => void): string {
  const { name, attribs } = element;
  if (attribs.content !== undefined) return attribs.content.trim();
  const address = addressAttributes[name];
  // Photos that a page loads late have their address elsewhere.
  if (name === 'img' && /^\s*(?:data:|$)/.test(attribs.src ?? '')) return (attribs['data-src'] ?? '').trim();
  if (address !== undefined && attribs[address] !== undefined) return (attribs[address] ?? '').trim();
  if ((name === 'data' || name === 'meter') && attribs.value !== undefined) return attribs.value;
  if (name === 'time' && attribs.datetime !== undefined) return attribs.datetime;
  return textIn(element, longest, spend);
}

/** Of a page; more are the work of somebody who wants to keep the reader busy. */
const MAX_PROPERTIES = 10_000;
/** Elements that are looked at for properties, one that several items refer to once for each. */
const MAX_LOOKED = 300_000;
const MAX_TEXT = 20_000;
const MAX_TEXTS = 2_000_000;
const MAX_DEPTH = 20;
const MAX_REFERENCES = 50;
/** Of an attribute that is a list of names. */
const MAX_NAMES = 2_000;

const words = (text = ''): string[] =>
  text
    .slice(0, MAX_NAMES)
    .split(/\s+/)
    .filter((word) => word !== '');

function add(item: Item, name: string, value: unknown): void {
  const before = item[name];
  if (before === undefined) item[name] = value;
  else if (Array.isArray(before)) before.push(value);
  else item[name] = [before, value];
}

class ItemReader {
  private left = MAX_PROPERTIES;
  private looksLeft = MAX_LOOKED;
  private textLeft = MAX_TEXTS;
  private readonly byId = new Map<string, HtmlElement>();
  private readonly syntax: Syntax;

  constructor(syntax: Syntax, elements: readonly HtmlElement[]) {
    this.syntax = syntax;
    for (const element of elements) {
      const { id } = element.attribs;
      if (id !== undefined && !this.byId.has(id)) this.byId.set(id, element);
    }
  }

  /** @param within the items around this one, so that none contains itself by `itemref` */
  read(element: HtmlElement, within: readonly HtmlElement[]): Item {
    const { syntax } = this;
    // Without a prototype: a property may be called `__proto__`.
    const item: Item = Object.create(null);
    const types = words(syntax.typesOf(element));
    if (types.length > 0) item['@type'] = types;
    const id = element.attribs[syntax.id];
    if (id !== undefined) item['@id'] = id;
    const inside = [...within, element];
    const referred = [...new Set(words(element.attribs.itemref))]
      .slice(0, MAX_REFERENCES)
      .flatMap((name) => this.byId.get(name) ?? [])
      .filter((other) => !inside.includes(other));
    const stack: HtmlNode[] = [...element.children, ...referred].reverse();
    for (let node = stack.pop(); node && this.left > 0 && this.looksLeft-- > 0; node = stack.pop()) {
      if (!isElement(node)) continue;
      const names = words(node.attribs[syntax.property]);
      const isItem = syntax.isItem(node);
      if (names.length > 0 && !inside.includes(node)) {
        this.left -= names.length;
        const value = isItem && inside.length < MAX_DEPTH ? this.read(node, inside) : this.text(node);
        for (const name of names) add(item, name, value);
      }
      // What is inside another item belongs to that item.
      if (!isItem) for (const child of node.children.toReversed()) stack.push(child);
    }
    return item;
  }

  private text(element: HtmlElement): string {
    return propertyText(element, Math.min(MAX_TEXT, this.textLeft), (looked) => {
      this.textLeft -= looked;
    });
  }
}

/** Vocabularies other than schema.org's describe no cars. */
const isOfSchemaOrg = (item: Item, vocabulary: boolean): boolean =>
  [item['@type']].flat().some((type) => typeof type === 'string' && (vocabulary || /schema(\.org|:)/i.test(type)));

/** Those of the elements, which are in the order of the page, that stand inside items. */
function insideItems(elements: readonly HtmlElement[], items: ReadonlySet<HtmlNode>): ReadonlySet<HtmlNode> {
  const inside = new Set<HtmlNode>();
  for (const element of elements) {
    const around = element.parent as HtmlNode | null;
    if (around && (items.has(around) || inside.has(around))) inside.add(element);
  }
  return inside;
}

function topItems(nodes: readonly HtmlNode[], syntax: Syntax, vocabulary: boolean): Item[] {
  const elements = [...elementsOf(nodes)];
  const items = new Set<HtmlNode>(elements.filter(syntax.isItem));
  if (items.size === 0) return [];
  const reader = new ItemReader(syntax, elements);
  const inside = insideItems(elements, items);
  const itemElements = elements.filter((element) => items.has(element));
  const referred = new Set(itemElements.flatMap((element) => words(element.attribs.itemref)));
  return itemElements
    .filter(({ attribs }) => !(syntax.property in attribs && referred.has(attribs.id ?? '')))
    .filter((element) => !(syntax.property in element.attribs && inside.has(element)))
    .map((element) => reader.read(element, []))
    .filter((item) => isRecord(item) && isOfSchemaOrg(item, vocabulary));
}

/**
 * The items of schema.org that a page's elements are annotated with, by microdata or RDFa Lite, as JSON-LD would write
 * them: `@type`, `@id`, and the properties, each a text, an item, or a list of these. Items inside others are their values.
 */
export function readAnnotations(nodes: readonly HtmlNode[]): Item[] {
  const inVocabulary = [...elementsOf(nodes)].some(({ attribs }) => /schema\.org/i.test(attribs.vocab ?? ''));
  return [...topItems(nodes, microdata, false), ...topItems(nodes, rdfaLite, inVocabulary)];
}
