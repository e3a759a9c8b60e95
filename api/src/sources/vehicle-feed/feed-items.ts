import { type ParsedRecord, rejected } from '../../domain/facts/listing-facts.ts';
import { boundRecord } from '../record/bound-record.ts';
import { isRecord } from '../record/record-fields.ts';
import type { ParseContext } from '../source-body.ts';
import { feedRowId, isFeedRow } from './feed-row.ts';
import { parseFeedRow } from './parse-feed-row.ts';

/** Reads a row that was set aside, from its JSON; nothing where the line itself could not be read. */
export function readFeedRecord(record: string, context: ParseContext): ParsedRecord[] {
  try {
    const row: unknown = JSON.parse(record);
    return isRecord(row) ? [parseFeedRow(row, context, record.length)] : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

function rowIdOf(item: unknown): string | null {
  const bounded = boundRecord(item);
  const row = isRecord(bounded) && isRecord(bounded.listing) ? bounded.listing : bounded;
  return isRecord(row) && isFeedRow(row) ? feedRowId(row) : null;
}

/**
 * Refuses the rows of a vehicle feed that were pushed as items with an id that stands twice, as their feed's reader
 * does; marketplace items are left as they are. @param records what was read of each item, in their order
 */
export function refuseDoubledRows(items: readonly unknown[], records: readonly ParsedRecord[]): ParsedRecord[] {
  const times = new Map<string, number>();
  const ids = items.map(rowIdOf);
  for (const id of ids) if (id !== null) times.set(id, (times.get(id) ?? 0) + 1);
  return records.map((record, index) => {
    const id = ids[index] ?? null;
    return id !== null && (times.get(id) ?? 0) > 1 ? rejectDoubled(id, JSON.stringify(items[index])) : record;
  });
}

/** @param row as JSON */
export function rejectDoubled(id: string, row: string): ParsedRecord {
  return rejected('feed', id, 'DUPLICATE_ID', 'The vehicle_id stands more than once.', row);
}
