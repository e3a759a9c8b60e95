import { SaxesParser } from 'saxes';
import { AppError } from '../../../base/errors.ts';
import type { FeedEntry, FeedRow } from '../feed-row.ts';
import { localName, type XmlFrame, XmlFrames } from './xml-frames.ts';

const PIECE = 64 * 1024;
const idElement =
  /<(?:\w{1,20}:)?(?:vehicle_id|auto_listing_id|id)\b[^<>]{0,200}>\s{0,20}(?:<!\[CDATA\[)?([^<>\]]{1,200})</i;

/** Splits a chunk, as cutting records off a large one would copy the rest again and again. */
function* pieces(chunk: string): Generator<string> {
  for (let start = 0; start < chunk.length; start += PIECE) yield chunk.slice(start, start + PIECE);
}

function entryOf({ text, fault }: XmlFrame): FeedEntry {
  const read = fault ?? readXmlRow(text);
  if ('row' in read) return { row: read.row };
  const id = idElement.exec(text)?.[1]?.trim();
  return { code: 'MALFORMED', ...read, record: text, ...(id && { id }) };
}

/**
 * The records of an XML feed, as nested objects by element name. A record that is not well-formed is rejected alone;
 * nothing that a DTD declares is expanded or fetched.
 * @throws AppError MALFORMED after all whole records when the document is cut off or not well-formed around them
 */
export async function* readXml(
  chunks: AsyncIterable<string>,
  recordNames: ReadonlySet<string> | null,
): AsyncGenerator<FeedEntry> {
  const frames = new XmlFrames(recordNames);
  for await (const chunk of chunks) {
    for (const piece of pieces(chunk)) for (const frame of frames.push(piece)) yield entryOf(frame);
  }
  for (const frame of frames.push('', true)) yield entryOf(frame);
  if (frames.fault !== null) throw new AppError('MALFORMED', `The feed is not well-formed XML: ${frames.fault}.`);
}

const MAX_NESTING = 64;
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids them, sellers write them
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
/** An ampersand that begins no entity would swallow all text up to the next semicolon. */
const bareAmpersand = /&(?!(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][\w.-]{0,40});)/gi;
/** Names that HTML knows and XML doesn't. */
const entities = {
  ...{ nbsp: ' ', copy: '©', reg: '®', trade: '™', ndash: '–', mdash: '—', hellip: '…', bull: '•', eacute: 'é' },
  ...{ rsquo: '’', lsquo: '‘', rdquo: '”', ldquo: '“', deg: '°', middot: '·', frac12: '½', times: '×' },
};

interface Element {
  name: string;
  /** Attributes and children. */
  inner: FeedRow | null;
  text: string;
  hasChildren: boolean;
}

/** Without a prototype: an element may be called `__proto__`. */
const emptyRow = (): FeedRow => Object.create(null);

function add(row: FeedRow, name: string, value: unknown): void {
  const before = row[name];
  if (Array.isArray(before)) before.push(value);
  else row[name] = before === undefined ? value : [before, value];
}

/** An element's value: its text, or its attributes and children with its text as `value`. */
function contentOf({ inner, text, hasChildren }: Element): unknown {
  const plain = text.trim();
  if (inner && !hasChildren && plain !== '') inner.value = plain;
  return inner ?? plain;
}

function closeInto(parent: Element, element: Element, isRecord: boolean): void {
  if (parent.text.trim() !== '' && !isRecord) {
    // Markup within running text.
    parent.text += ` ${element.text} `;
    return;
  }
  parent.inner ??= emptyRow();
  parent.hasChildren = true;
  add(parent.inner, element.name, contentOf(element));
}

/**
 * Reads one record's element into a nested object by its children's names; entities other than XML's and HTML's usual
 * ones are never expanded.
 */
export function readXmlRow(text: string): { row: FeedRow } | { reason: string } {
  const parser = new SaxesParser({ xmlns: false, position: false });
  const open: Element[] = [];
  let row = emptyRow();
  let depth = 0;
  let reason: string | null = null;
  Object.assign(parser.ENTITIES, entities);
  const addText = (more: string) => {
    const element = open.at(-1);
    if (element && depth === open.length) element.text += more;
  };
  parser.on('opentag', ({ name, attributes }) => {
    depth++;
    if (depth > MAX_NESTING) reason ??= `It nests deeper than ${MAX_NESTING}.`;
    if (depth > MAX_NESTING) return;
    const stated = Object.entries(attributes).filter(([key]) => !/^xmlns(:|$)/.test(key));
    const inner = stated.length > 0 ? emptyRow() : null;
    if (inner) for (const [key, value] of stated) inner[localName(key)] = value;
    open.push({ name: localName(name), inner, text: '', hasChildren: false });
  });
  parser.on('closetag', () => {
    depth--;
    const element = depth < open.length ? open.pop() : undefined;
    const parent = open.at(-1);
    if (element && parent) closeInto(parent, element, open.length === 1);
    else if (element) row = element.inner ?? row;
  });
  parser.on('text', addText);
  parser.on('cdata', (more) => addText(more.replaceAll('&amp;', '&')));
  parser.on('error', ({ message }) => {
    if (!/malformed character entity/.test(message)) reason ??= message.slice(0, 200);
  });
  parser.write(text.toWellFormed().replace(forbidden, ' ').replace(bareAmpersand, '&amp;')).close();
  return reason === null ? { row } : { reason };
}
