import { setImmediate as turn } from 'node:timers/promises';
import { AppError } from '../../base/errors.ts';
import type { ParsedRecord } from '../../domain/facts/listing-facts.ts';
import { isRecord } from '../record/record-fields.ts';
import type { ParseContext } from '../source-body.ts';
import { refuseDoubledRows } from '../vehicle-feed/feed-items.ts';
import { JsonSplitter } from './json-stream/json-splitter.ts';
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
