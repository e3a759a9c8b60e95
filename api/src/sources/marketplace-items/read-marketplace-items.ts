import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { AppError } from '../../base/errors.ts';
import { laterFacts } from '../../domain/facts/later-facts.ts';
import { factsHash, type ParsedRecord, rejected } from '../../domain/facts/listing-facts.ts';
import { isRecord } from '../record/record-fields.ts';
import type { ParseContext, SourceBody } from '../source-body.ts';
import { rejectDuplicateRows } from '../vehicle-feed/read-feed.ts';
import { parseMarketplaceItem, rejectItem } from './item/parse-marketplace-item.ts';
import { JsonSplitter } from './json-stream/json-splitter.ts';
import type { JsonPiece } from './json-stream/record-buffer.ts';

/** How many records are read without a pause: some milliseconds. */
const PIECES_A_SLICE = 25;

/** Pauses after every few items. */
function* readPage(text: string, context: ParseContext): Generator<undefined, ParsedRecord[]> {
  const splitter = new JsonSplitter();
  const pieces = [...splitter.push(text), ...splitter.end()];
  if (splitter.fault !== null) throw new AppError('MALFORMED', `The body can't be read: ${splitter.fault}`);
  const readOne = makePieceReader(context);
  const read: ReadPiece[] = [];
  for (const piece of pieces) {
    read.push(readOne(piece));
    if (read.length % PIECES_A_SLICE === 0) yield;
  }
  // A body of lines of which none is an object has no items.
  const isItem = ({ record, value }: ReadPiece) =>
    isRecord(value) || ('rejection' in record && record.rejection.code === 'TOO_LARGE');
  if (read.length > 0 && !splitter.isList && !read.some(isItem)) {
    const [first] = read;
    const reason = first && 'rejection' in first.record ? first.record.rejection.reason : '';
    throw new AppError('MALFORMED', `The body can't be read: ${reason}`);
  }
  return rejectDuplicateRows(
    read.map(({ value }) => value),
    read.map(({ record }) => record),
  );
}

/**
 * Every item of a push, in its order, as facts or as a rejection. The body is a JSON array, `{items: []}`, one object, or
 * one object a line.
 * @throws AppError MALFORMED when the body as a whole can't be read
 */
export function parseMarketplacePage(text: string, context: ParseContext): ParsedRecord[] {
  const reading = readPage(text, context);
  for (;;) {
    const { done, value } = reading.next();
    if (done) return value;
  }
}

/** The same with pauses for other requests, which hundreds of items would hold up. @throws AppError MALFORMED */
export async function parseMarketplacePageInSlices(text: string, context: ParseContext): Promise<ParsedRecord[]> {
  const reading = readPage(text, context);
  for (;;) {
    const { done, value } = reading.next();
    if (done) return value;
    await yieldToOthers();
  }
}

/** With this many records in a row that are not JSON, or before the first object, the body is not a list of cars. */
const MAX_UNREADABLE = 1000;

/** The most items of one body, since storing or rejecting more would take hours. */
const MAX_ITEMS = 1_000_000;

const noItems = () => new AppError('MALFORMED', 'The page holds no items.');

/** Distinguishes a list with bad records from a body that is no list, as records pass one at a time. */
class ListCheck {
  private unreadable = 0;
  private sawObject = false;
  /** Records before the first object, which are passed on only when one follows. */
  private waiting: ParsedRecord[] = [];

  pass({ piece, record, value }: ReadPiece): ParsedRecord[] {
    const tooLarge = piece.fault?.code === 'TOO_LARGE';
    this.unreadable = value === undefined && !tooLarge ? this.unreadable + 1 : 0;
    if (this.unreadable > MAX_UNREADABLE || (!this.sawObject && piece.text.startsWith('<'))) throw noItems();
    this.sawObject ||= isRecord(value) || (piece.text.startsWith('{') && (tooLarge || !piece.alone));
    this.waiting.push(record);
    if (!this.sawObject && this.waiting.length > MAX_UNREADABLE) throw noItems();
    return this.sawObject ? this.waiting.splice(0) : [];
  }

  end(): void {
    if (this.waiting.length > 0) throw noItems();
  }
}

/** A single object like `{"error": "busy"}` is a message; with a type it is a car without an id. */
const isMessage = ({ record, value }: ReadPiece) =>
  'rejection' in record && record.rejection.code === 'NO_ID' && isRecord(value) && !('@type' in value);

/**
 * The marketplace items of a body, one by one: a JSON array, `{items: []}`, objects one after the other or one a line.
 * @throws AppError MALFORMED when it is no list, or, after all records that are whole, breaks off
 */
export async function* readMarketplaceItems(body: SourceBody, context: ParseContext): AsyncGenerator<ParsedRecord> {
  const splitter = new JsonSplitter();
  const readPiece = makePieceReader(context);
  const check = new ListCheck();
  /** A first object outside a list, which may be a message until more follows. */
  const alone: ReadPiece[] = [];
  let count = 0;
  const read = function* (pieces: JsonPiece[]): Generator<ParsedRecord> {
    for (const piece of pieces) {
      const one = readPiece(piece);
      count++;
      if (count > MAX_ITEMS) throw new AppError('MALFORMED', 'The page has more than 1,000,000 items.');
      if (count === 1 && piece.alone) alone.push(one);
      else for (const next of [...alone.splice(0), one]) yield* check.pass(next);
    }
  };
  let torn: { error: unknown } | null = null;
  try {
    // Not `yield*`, which would cost several ticks of the event loop a record.
    for await (const text of body.text()) for (const record of read(splitter.push(text))) yield record;
  } catch (error) {
    torn = { error };
  }
  for (const record of read(torn ? splitter.tear() : splitter.end())) yield record;
  for (const one of alone) {
    if (!isMessage(one)) yield* check.pass(one);
    else if (!torn) throw noItems();
  }
  if (torn) throw torn.error;
  check.end();
  if (splitter.fault !== null) throw new AppError('MALFORMED', splitter.fault);
}

/** How many ids of one body are remembered to find duplicates. */
const MAX_REMEMBERED = 300_000;

/**
 * Reads the items of one body, one by one. Two items with one id are one listing: the same facts again are accepted
 * (and change nothing), other facts are rejected as DUPLICATE_ID, so that two rows of one page don't change a car back
 * and forth at each read.
 */
export function makeItemReader(context: ParseContext): (raw: unknown, length?: number) => ParsedRecord {
  const seen = new Map<string, string>();
  return (raw, length) => {
    const record = parseMarketplaceItem(raw, context, length);
    if ('rejection' in record || context.laterWins) return record;
    const { externalId } = record.facts;
    const hash = `${factsHash(record.facts)} ${laterFacts(record.facts)}`;
    const first = seen.get(externalId);
    if (first === undefined && seen.size < MAX_REMEMBERED) seen.set(externalId, hash);
    if (first === undefined || first === hash) return record;
    return rejected(
      'items',
      externalId,
      'DUPLICATE_ID',
      'The same id occurred before with other facts; the first record is used.',
      JSON.stringify(raw),
    );
  };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON holds none of them but as escapes
const controls = /[\u0000-\u001f]/g;

function keepDigits(_key: string, value: unknown, { source }: { source?: string } = {}): unknown {
  const losesDigits = typeof value === 'number' && !Number.isSafeInteger(value) && /^\d+$/.test(source ?? '');
  return losesDigits ? source : value;
}

/** A reviver costs several times the parsing itself, and coordinates too are long words. */
const longNumber = /[[:,\s]\d{16,}[\s,}\]]/;

/** Parses JSON. @param hasLongWord ids of 16 digits and more keep them all, as text. @throws SyntaxError */
export function parseJson(text: string, hasLongWord: boolean): unknown {
  const reviver = hasLongWord && longNumber.test(text) ? keepDigits : undefined;
  try {
    return JSON.parse(text, reviver);
  } catch (error) {
    const cleaned = text.replace(controls, ' ');
    if (cleaned === text) throw error;
    return JSON.parse(cleaned, reviver);
  }
}

function idOf(repaired: string, context: ParseContext): string | null {
  try {
    const read = parseMarketplaceItem(parseJson(repaired, true), context);
    return 'facts' in read ? read.facts.externalId : read.rejection.externalId;
  } catch {
    return null;
  }
}

export interface ReadPiece {
  piece: JsonPiece;
  record: ParsedRecord;
  /** The parsed JSON; undefined when it can't be parsed. */
  value?: unknown;
}

/** Reads the pieces of one body, one by one, as facts or as rejections. */
export function makePieceReader(context: ParseContext): (piece: JsonPiece) => ReadPiece {
  const readItem = makeItemReader(context);
  return (piece) => ({ piece, ...readPiece(piece, readItem, context) });
}

function readPiece(piece: JsonPiece, readItem: ReturnType<typeof makeItemReader>, context: ParseContext) {
  const { text, fault, repaired } = piece;
  if (fault) {
    const record = rejectItem(repaired === null ? null : idOf(repaired, context), fault.code, fault.reason, text);
    if ('rejection' in record && !piece.whole) record.rejection.whole = false;
    return { record };
  }
  let value: unknown;
  try {
    value = parseJson(text, piece.hasLongNumber);
  } catch (error) {
    return {
      record: rejectItem(null, 'MALFORMED', error instanceof Error ? error.message : 'It is not valid JSON.', text),
    };
  }
  return { record: readItem(value, text.length), value };
}
