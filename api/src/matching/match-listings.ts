import { lockCars, lockSearch } from '../base/advisory-lock.ts';
import { ClaimScan } from '../base/claim-scan.ts';
import {
  type Client,
  type CommitWith,
  inTransaction,
  type Pool,
  pipeline,
  resetPlanner,
  SHORT_IDLE_MS,
} from '../base/database.ts';
import { measured } from '../base/measured.ts';
import { traced, type Work } from '../base/traced.ts';
import { type ClaimedListing, claimLearned, claimNews, deleteMarks } from '../placement/listing-marks.ts';
import { asksForLater } from './filter-rules.ts';
import { matchFreshSql, rematchListingsSql } from './listing-search-sql.ts';
import {
  beginMatching,
  insertOrUpsert,
  keepBackfillsOut,
  type Matched,
  notifyMatches,
  wakeSender,
} from './match-transaction.ts';

/** About 10,000 pairs a transaction at the expected 172 a listing. */
const BATCH = 64;
/** Of no more listings than an alert keeps matches, so that each pair of a batch is among its newest. */
const LARGEST_BATCH = 256;
/** After a batch that takes longer the next one is smaller, as others wait for its locks. */
const LONG_MS = 50;
/** Up to this many listings are searched with generic plans. */
const FEW = 4;

/** By the ids of the listings. */
type Scan = ClaimScan<number>;

/**
 * Searches the alerts for one batch of listings that wait to be matched, or, when none does, of those of which facts were
 * read for the first time. Pairs, notifications and the deleted mark
 * commit together, so that after a crash the next call repeats the batch.
 * @param scan of a caller that comes again and again
 * @returns how many listings were handled; 0 when no unclaimed one waits, or none from where the scan begins
 */
export function matchPendingListings(pool: Pool, limit = BATCH, scan: Scan = new ClaimScan()): Promise<number> {
  const work: Work = { name: 'match batch', attributes: {} };
  return traced(work, async () => {
    const listings = await matchOnce(pool, limit, scan);
    work.attributes['match.listings'] = listings;
    return listings;
  });
}

async function matchOnce(pool: Pool, limit: number, scan: Scan): Promise<number> {
  return insertOrUpsert((mayExist) =>
    inTransaction(
      pool,
      (client, commitWith) => matchBatch(client, commitWith, { limit, scan, mayExist }),
      beginMatching(SHORT_IDLE_MS),
    ),
  );
}

/** The limit of the next batch: twice that of a short one which was full, since a transaction costs as much for few listings. */
export function nextLimit(limit: number, handled: number, ms: number): number {
  if (ms > LONG_MS) return Math.max(BATCH, limit / 2);
  // Other listings of a car that is in the batch are left to the next one.
  return handled > limit / 2 ? Math.min(LARGEST_BATCH, limit * 2) : BATCH;
}

/** @returns a function that matches the next batch, which is larger while many listings wait. It returns how many it handled. */
export function makeListingMatcher(pool: Pool, scan: Scan = new ClaimScan()): () => Promise<number> {
  let limit = BATCH;
  return async () => {
    const begun = performance.now();
    const handled = await matchPendingListings(pool, limit, scan);
    limit = nextLimit(limit, handled, performance.now() - begun);
    return handled;
  };
}

interface BatchOptions {
  limit: number;
  scan: Scan;
  mayExist: boolean;
}

async function matchBatch(client: Client, commitWith: CommitWith, options: BatchOptions): Promise<number> {
  const { limit, scan, mayExist } = options;
  const begun = performance.now();
  const from = scan.next();
  /** Since when the lock is there, and nothing else is waited for. */
  let claimBegun = Number.POSITIVE_INFINITY;
  const [, waiting] = await pipeline(client, () => [
    lockSearch(client).then(() => {
      claimBegun = performance.now();
    }),
    claimNews(client, limit, from ?? 0),
  ]).catch((error: unknown) => {
    if (claimBegun > performance.now()) throw error;
    return scan.failed(from, performance.now() - claimBegun, error);
  });
  scan.done(from, performance.now() - claimBegun, waiting[0]?.id ?? null);
  const isNews = waiting.length > 0;
  const mayFit = oneOfEachCar(isNews ? waiting : await claimLearned(client, limit, asksForFilters));
  if (mayFit.length === 0) return 0;
  const claimed = await besideBackfills(client, mayFit, mayExist);
  if (claimed.length === 0) return 0;
  const asked = claimed.filter((listing) => listing.asked);
  const cars = asked.flatMap(({ carId }) => (carId === null ? [] : [carId]));
  const fresh = asked.filter(({ known }) => !known && !mayExist);
  const again = asked.filter(({ known }) => known || mayExist);
  const [, , , ofFresh, ofAgain] = await pipeline(client, () => [
    deleteMarks(client, claimed),
    claimed.length <= FEW && again.length === 0 ? undefined : client.query(resetPlanner),
    lockCars(client, cars),
    searchFresh(client, fresh, isNews),
    searchAgain(client, again, isNews),
  ]);
  const matched = [...ofFresh, ...ofAgain];
  await commitWith(() => [
    notifyMatches(client, 'listings', matched),
    matched.some(({ announced }) => announced) ? wakeSender(client) : undefined,
  ]);
  const seconds = (performance.now() - begun) / 1000;
  measured('match', { listings: claimed.length, matches: matched.length, seconds });
  return claimed.length;
}

/**
 * Lets a backfill that may have read a changed listing as it was before end first; later ones see the mark. Changed listings
 * keep their marks while it runs and there are new ones, which wait for nothing.
 * @returns the listings to search for
 */
async function besideBackfills(client: Client, claimed: readonly ClaimedListing[], mayExist: boolean) {
  const isNew = ({ known }: ClaimedListing) => !known && !mayExist;
  if (claimed.every(isNew)) return claimed;
  const fresh = claimed.filter(isNew);
  return (await keepBackfillsOut(client, fresh.length === 0)) ? claimed : fresh;
}

/** Whether an alert asks for facts that were read for the first time. Most of such listings concern none, and need only be noted as compared. */
const asksForFilters = `
  exists (select from alert_cells c
           where c.key = any (array[l.make_key, l.model_key]) and ${asksForLater})`;

/** Other listings of a car keep their mark for the next batch, which then sees what this one announced. */
function oneOfEachCar(claimed: readonly ClaimedListing[]): ClaimedListing[] {
  const cars = new Set<number>();
  return claimed.filter(({ carId }) => {
    if (carId === null) return true;
    const isFirst = !cars.has(carId);
    cars.add(carId);
    return isFirst;
  });
}

/** A listing that has a match, and whether one of them is announced. */
interface MatchedListing extends Matched {
  announced: boolean;
}

const idsOf = (listings: readonly ClaimedListing[]): number[] => listings.map(({ id }) => id);

/** Writes the matches of listings without any. @param isNews whether they may be announced */
async function searchFresh(client: Client, listings: readonly ClaimedListing[], isNews: boolean) {
  if (listings.length === 0) return [];
  const { rows } = await client.query<MatchedListing>({
    name: 'match-listings-fresh',
    text: matchFreshSql,
    values: [idsOf(listings), isNews],
  });
  return rows;
}

/** Writes the matches of listings some of which have matches, by what changed since their last search. */
async function searchAgain(client: Client, listings: readonly ClaimedListing[], isNews: boolean) {
  if (listings.length === 0) return [];
  const { rows } = await client.query<MatchedListing>({
    name: 'match-listings-again',
    text: rematchListingsSql,
    values: [
      idsOf(listings),
      isNews,
      `[${listings.flatMap(({ factsBefore }) => factsBefore ?? []).join(',')}]`,
      listings.map(({ markedAt }) => markedAt),
    ],
  });
  return rows;
}
