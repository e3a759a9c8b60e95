import type { ParsedRecord } from '../../domain/facts/listing-facts.ts';
import type { ParseContext } from '../source-body.ts';
import { makeItemReader } from './item-reader.ts';
import { parseItemsBody } from './parse-items-body.ts';
import { rejectItem } from './parse-marketplace-item.ts';

/**
 * Every item of a page or a push, in its order, as facts or as what is set aside.
 * @throws AppError MALFORMED when nothing of it can be read
 */
export function parseMarketplacePage(text: string, context: ParseContext): ParsedRecord[] {
  const { items, badLines } = parseItemsBody(text);
  const badByIndex = new Map(badLines.map((line) => [line.index, line]));
  const readItem = makeItemReader(context);
  return items.map((item, index) => {
    const bad = badByIndex.get(index);
    return bad ? rejectItem(null, 'MALFORMED', bad.reason, bad.record) : readItem(item);
  });
}
