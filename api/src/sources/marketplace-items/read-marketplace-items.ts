import { setImmediate as turn } from 'node:timers/promises';
import { AppError } from '../../base/errors.ts';
import type { ParsedRecord } from '../../domain/facts/listing-facts.ts';
import { isRecord } from '../record/record-fields.ts';
import type { ParseContext, SourceBody } from '../source-body.ts';
import { refuseDoubledRows } from '../vehicle-feed/read-feed.ts';
import { JsonSplitter } from './json-stream/json-splitter.ts';
import type { JsonPiece } from './json-stream/piece-buffer.ts';
import { makePieceReader, type ReadPiece } from './read-piece.ts';

/** Some milliseconds of reading. */
const PIECES_A_TURN = 25;

/** Pauses after every few items. */
function* readPage(text: string, context: ParseContext): Generator<undefined, ParsedRecord[]> {
  const splitter = new JsonSplitter();
  const pieces = [...splitter.push(text), ...splitter.end()];
  if (splitter.fault !== null) throw new AppError('MALFORMED', `The body can't be read: ${splitter.fault}`);
  const readOne = makePieceReader(context);
  const read: ReadPiece[] = [];
  for (const piece of pieces) {
    read.push(readOne(piece));
    if (read.length % PIECES_A_TURN === 0) yield;
  }
  // Lines of which none is an object are no items.
  const isItem = ({ record, value }: ReadPiece) =>
    isRecord(value) || ('rejection' in record && record.rejection.code === 'TOO_LARGE');
  if (read.length > 0 && !splitter.isList && !read.some(isItem)) {
    const [first] = read;
    const reason = first && 'rejection' in first.record ? first.record.rejection.reason : '';
    throw new AppError('MALFORMED', `The body can't be read: ${reason}`);
  }
  return refuseDoubledRows(
    read.map(({ value }) => value),
    read.map(({ record }) => record),
  );
}

/**
 * Every item of a push, in its order, as facts or as what is set aside: a JSON array, `{items: []}`, one object or one
 * a line.
 * @throws AppError MALFORMED when the whole can't be read
 */
export function parseMarketplacePage(text: string, context: ParseContext): ParsedRecord[] {
  const reading = readPage(text, context);
  for (;;) {
    const { done, value } = reading.next();
    if (done) return value;
  }
}

/** The same, letting others have their turns while it reads: hundreds of items would hold up every other request. */
export async function parseMarketplacePageInTurns(text: string, context: ParseContext): Promise<ParsedRecord[]> {
  const reading = readPage(text, context);
  for (;;) {
    const { done, value } = reading.next();
    if (done) return value;
    await turn();
  }
}

/** With this many records in a row that are not JSON, or before the first object, the body is not a list of cars. */
const MAX_UNREADABLE = 1000;

/** A body holds 100 MB: more are no cars, and storing or setting aside each of them would take hours. */
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
    // Not `yield*`: a record would cost several turns of the event loop.
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
