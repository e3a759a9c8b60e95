import { channels } from '../base/channels.ts';
import { type Client, type CommitWith, type Pool, pipeline, type Queryable } from '../base/database.ts';
import { measured } from '../base/measured.ts';
import { inRetriedTransaction } from '../base/retried-transaction.ts';
import { type ListingFacts, type ParsedRecord, type RejectCode, storableText } from '../domain/facts/listing-facts.ts';
import type { PriceModel } from '../domain/prices/price-model.ts';
import { lagMs } from '../domain/source-health.ts';
import { beginForFew } from '../placement/layout.ts';
import { countIntake } from './count-intake.ts';
import type { ReadPriceModel } from './price-models.ts';
import { quarantineRecords } from './quarantine.ts';
import { type StoredFacts, storeFacts } from './store-facts.ts';

interface ItemResult {
  index: number;
  externalId: string | null;
  status: StoredFacts['status'] | 'rejected';
  listingId: number | null;
  code: RejectCode | null;
  reason: string | null;
  facts: ListingFacts | null;
}

export interface StoreResult {
  received: number;
  accepted: number;
  updated: number;
  unchanged: number;
  rejected: number;
  results: ItemResult[];
}

/** Up to this many records are stored with generic plans. */
const FEW = 20;

interface StoreOptions {
  /** When false, matches are shown but not announced, as for the first read of a new source. */
  announce: boolean;
  /** Gives the listings their price bands. */
  prices?: ReadPriceModel | undefined;
  /** Called first in the same transaction; what it throws rolls the page back. */
  first?(db: Queryable): Promise<unknown>;
  /** Called in the same transaction after the writes; what it throws rolls the page back. */
  beforeCommit?(db: Queryable): Promise<unknown>;
  /** Called in the same transaction together with the counts. */
  last?(db: Queryable, stored: StoreResult): Promise<unknown>;
}

/**
 * Stores one page of a source in one transaction: listings, their price history, quarantined records, and the source's
 * counts. It is committed when the promise resolves, and the worker is notified that listings wait for matching. When a
 * page has an id twice, the later record is compared with the earlier one.
 */
export async function storeListings(
  pool: Pool,
  source: string,
  records: ParsedRecord[],
  options: StoreOptions,
): Promise<StoreResult> {
  const model = (await options.prices?.()) ?? null;
  const begin = records.length <= FEW ? beginForFew() : 'begin';
  return inRetriedTransaction(
    pool,
    (client, commitWith) => storePage(client, commitWith, source, records, { ...options, model }),
    begin,
  );
}

/** The records' indexes, in rounds without a repeated id. */
function splitByRepeatedId(items: ItemResult[]): number[][] {
  const rounds: number[][] = [];
  const timesSeen = new Map<string, number>();
  items.forEach(({ facts, index }) => {
    if (!facts) return;
    const { externalId } = facts;
    const round = timesSeen.get(externalId) ?? 0;
    timesSeen.set(externalId, round + 1);
    const indexes = rounds[round] ?? [];
    indexes.push(index);
    rounds[round] = indexes;
  });
  return rounds;
}

function withStorableId(record: ParsedRecord): ParsedRecord {
  if (!('facts' in record)) return record;
  const externalId = storableText(record.facts.externalId);
  return externalId === record.facts.externalId ? record : { facts: { ...record.facts, externalId } };
}

async function storePage(
  client: Client,
  commitWith: CommitWith,
  source: string,
  records: ParsedRecord[],
  { announce, model, first, beforeCommit, last }: StoreOptions & { model: PriceModel | null },
): Promise<StoreResult> {
  const results: ItemResult[] = records.map(withStorableId).map((record, index) =>
    'facts' in record
      ? {
          index,
          externalId: record.facts.externalId,
          status: 'unchanged',
          listingId: null,
          code: null,
          reason: null,
          facts: record.facts,
        }
      : {
          index,
          externalId: record.rejection.externalId,
          status: 'rejected',
          listingId: null,
          code: record.rejection.code,
          reason: record.rejection.reason,
          facts: null,
        },
  );
  const rounds = splitByRepeatedId(results);
  const storeRound = async (round: number[] = []) => {
    const facts = round.flatMap((index) => results[index]?.facts ?? []);
    const stored = await storeFacts(client, source, facts, announce, model);
    for (const index of round) {
      const result = results[index];
      const row = result?.externalId != null ? stored.get(result.externalId) : undefined;
      if (result && row) Object.assign(result, row);
    }
  };
  await pipeline(client, () => [first?.(client), storeRound(rounds[0])]);
  for (const round of rounds.slice(1)) await storeRound(round);
  const newRejects = await quarantineRecords(
    client,
    source,
    records.flatMap((record) => ('rejection' in record ? record.rejection : [])),
    { announce },
  );

  const count = (status: ItemResult['status']) => results.filter((result) => result.status === status).length;
  const totals = {
    received: records.length,
    accepted: count('accepted'),
    updated: count('updated'),
    unchanged: count('unchanged'),
    rejected: count('rejected'),
  };
  // Listings that a new source already had say nothing about the time to first sight.
  const fresh = announce ? results.filter(({ status }) => status === 'accepted') : [];
  const seenAt = new Date();
  const lagsMs = fresh.flatMap(({ facts }) => (facts?.listedAt ? lagMs(facts.listedAt, seenAt) : []));
  const externalIds = results.flatMap(({ facts }) => facts?.externalId ?? []);
  const stored = { ...totals, results };
  await beforeCommit?.(client);
  await commitWith(() => [
    totals.accepted + totals.updated > 0
      ? client.query({ name: 'wake-matching', text: `select pg_notify('${channels.work}', 'match')` })
      : undefined,
    last?.(client, stored),
    countIntake(client, source, { ...totals, newRejects, lagsMs, externalIds }),
  ]);
  const { accepted, updated, unchanged } = totals;
  const lags = lagsMs.map((ms) => ms / 1000);
  measured('intake', { accepted, updated, unchanged, rejected: newRejects, lags });
  return stored;
}
