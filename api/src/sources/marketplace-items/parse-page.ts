import { AppError } from '../../base/errors.ts';
import type { ParsedRecord } from '../../domain/facts/listing-facts.ts';
import { isRecord } from '../record/record-fields.ts';
import type { ParseContext } from '../source-body.ts';
import { refuseDoubledRows } from '../vehicle-feed/feed-items.ts';
import { JsonSplitter } from './json-stream/json-splitter.ts';
import { makePieceReader, type ReadPiece } from './read-piece.ts';

/**
 * Every item of a push, in its order, as facts or as what is set aside: a JSON array, `{items: []}`, one object or one
 * a line.
 * @throws AppError MALFORMED when the whole can't be read
 */
export function parseMarketplacePage(text: string, context: ParseContext): ParsedRecord[] {
  const splitter = new JsonSplitter();
  const pieces = [...splitter.push(text), ...splitter.end()];
  if (splitter.fault !== null) throw new AppError('MALFORMED', `The body can't be read: ${splitter.fault}`);
  const read = pieces.map(makePieceReader(context));
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
