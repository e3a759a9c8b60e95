import type { Pool } from '../base/database.ts';
import { AppError } from '../base/errors.ts';
import type { ParsedRecord } from '../domain/facts/listing-facts.ts';
import { lagMs, medianMs } from '../domain/source-health.ts';
import type { ReadPriceModel } from '../intake/price-models.ts';
import { type StoreResult, storeListings } from '../intake/store-listings.ts';
import { ensurePushSource, recordPush } from '../sources/change-sources.ts';

const MAX_ITEMS = 1000;

export interface IngestDeps {
  pool: Pool;
  /** @throws AppError MALFORMED when the body can't be read at all */
  parsePage(text: string, now: Date): ParsedRecord[] | Promise<ParsedRecord[]>;
  now(): Date;
  prices?: ReadPriceModel | undefined;
}

export type IngestResult = StoreResult & { source: string };

/**
 * Parses a pushed body, stores its listings and notifies the worker. Resolves after commit.
 * @throws AppError MALFORMED, TOO_LARGE
 */
export async function ingestPush(deps: IngestDeps, source: string, text: string): Promise<IngestResult> {
  const now = deps.now();
  const records = await deps.parsePage(text, now);
  if (records.length > MAX_ITEMS) {
    throw new AppError(
      'TOO_LARGE',
      `At most ${MAX_ITEMS} items can be pushed at once; this body has ${records.length}.`,
    );
  }
  const stored = await storeListings(deps.pool, source, records, {
    announce: true,
    prices: deps.prices,
    first: (db) => ensurePushSource(db, source),
    last: (db, { results }) => {
      const lags = results.flatMap(({ status, facts }) =>
        status === 'accepted' && facts?.listedAt ? [lagMs(facts.listedAt, now)] : [],
      );
      return recordPush(db, source, medianMs(lags));
    },
  });
  return { source, ...stored };
}
