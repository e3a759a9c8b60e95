import { AppError } from '../../base/errors.ts';
import type { ParsedRecord } from '../../domain/facts/listing-facts.ts';
import { isRecord } from '../record/record-fields.ts';
import type { ParseContext, SourceBody } from '../source-body.ts';
import { JsonSplitter } from './json-stream/json-splitter.ts';
import type { JsonPiece } from './json-stream/piece-buffer.ts';
import { makePieceReader, type ReadPiece } from './read-piece.ts';

/** So many in a row that are no JSON, or before the first object, are no list of cars with a few bad ones. */
const MAX_UNREADABLE = 1000;

/** A body holds 100 MB: more are no cars, and storing or setting aside each of them would take hours. */
const MAX_ITEMS = 1_000_000;

const noItems = () => new AppError('MALFORMED', 'The page holds no items.');

/** Tells a list with bad records from what is no list at all, as records pass by one at a time. */
class Sense {
  private unreadable = 0;
  private sawObject = false;
  /** What is no object waits for the first that is one: alone it is no list. */
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

/** `{"error": "busy"}` alone is no car without an id; what names its type is. */
const isMessage = ({ record, value }: ReadPiece) =>
  'rejection' in record && record.rejection.code === 'NO_ID' && isRecord(value) && !('@type' in value);

/**
 * The marketplace items of a body, one by one: a JSON array, `{items: []}`, objects one after the other or one a line.
 * @throws AppError MALFORMED when it is no list, or, after all records that are whole, breaks off
 */
export async function* readMarketplaceItems(body: SourceBody, context: ParseContext): AsyncGenerator<ParsedRecord> {
  const splitter = new JsonSplitter();
  const readPiece = makePieceReader(context);
  const sense = new Sense();
  /** An object that comes first and in no list: until more comes it may be a message. */
  const alone: ReadPiece[] = [];
  let count = 0;
  const read = function* (pieces: JsonPiece[]): Generator<ParsedRecord> {
    for (const piece of pieces) {
      const one = readPiece(piece);
      count++;
      if (count > MAX_ITEMS) throw new AppError('MALFORMED', 'The page has more than 1,000,000 items.');
      if (count === 1 && piece.alone) alone.push(one);
      else for (const next of [...alone.splice(0), one]) yield* sense.pass(next);
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
    if (!isMessage(one)) yield* sense.pass(one);
    else if (!torn) throw noItems();
  }
  if (torn) throw torn.error;
  sense.end();
  if (splitter.fault !== null) throw new AppError('MALFORMED', splitter.fault);
}
