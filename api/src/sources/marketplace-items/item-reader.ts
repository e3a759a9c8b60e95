import { factsHash, type ParsedRecord, rejected } from '../../domain/facts/listing-facts.ts';
import type { ParseContext } from '../source-body.ts';
import { parseMarketplaceItem } from './item/parse-marketplace-item.ts';

/** Beyond these a body is no longer searched for ids that stand twice: what is remembered has to end somewhere. */
const MOST_SEEN = 300_000;

/**
 * Reads the items of one body, one by one. An id that stands twice is one listing: the same facts again are taken
 * (and change nothing), other facts are refused as DUPLICATE_ID, so that two rows of one page don't change a car back
 * and forth at each read.
 */
export function makeItemReader(context: ParseContext): (raw: unknown) => ParsedRecord {
  const seen = new Map<string, string>();
  return (raw) => {
    const record = parseMarketplaceItem(raw, context);
    if ('rejection' in record || context.laterCounts) return record;
    const { externalId } = record.facts;
    const hash = factsHash(record.facts);
    const first = seen.get(externalId);
    if (first === undefined && seen.size < MOST_SEEN) seen.set(externalId, hash);
    if (first === undefined || first === hash) return record;
    return rejected(
      'items',
      externalId,
      'DUPLICATE_ID',
      'The id stands before with other facts; the first record counts.',
      JSON.stringify(raw),
    );
  };
}
