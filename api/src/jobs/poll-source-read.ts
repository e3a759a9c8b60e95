import type { Pool, Queryable } from '../base/database.ts';
import { lagMs, medianMs } from '../domain/facts/lag.ts';
import type { ListingFacts, ParsedRecord } from '../domain/facts/listing-facts.ts';
import type { ClaimedSource } from '../sources/claim-source.ts';
import { fetchItems, type Validators } from '../sources/marketplace-items/fetch-items.ts';
import { type PollSuccess, saveCursor } from '../sources/record-poll.ts';
import type { FetchPage } from '../vendors/web-fetch.ts';

/** What intake says of one stored page. */
export interface StoredPage {
  accepted: number;
  updated: number;
  unchanged: number;
  results: readonly { status: string; facts: ListingFacts | null }[];
}

export type StoreListings = (
  pool: Pool,
  source: string,
  records: ParsedRecord[],
  options: { announce: boolean },
) => Promise<StoredPage>;

export interface ReadDeps {
  pool: Pool;
  storeListings: StoreListings;
  /** Splits a page's text into records and reads each. Throws when the whole page can't be read. */
  parsePage: (text: string, now: Date) => ParsedRecord[];
  fetchPage: FetchPage;
  now: () => Date;
  /** Aborted at shutdown: the read stops between two pages, or in the middle of one that is under way. */
  signal?: AbortSignal;
}

/** The page came whole but can't be read; nothing of it is used. */
export class UnreadablePage extends Error {}

const MAX_PAGES = 20;
/** One transaction's worth: a file can hold a hundred thousand. */
const STORED_AT_ONCE = 500;

interface Page {
  text: string;
  records: ParsedRecord[];
  seenAt: Date;
  validators: Validators;
}

interface Tally {
  fresh: number;
  known: boolean;
  lagsMs: number[];
}

async function nextPage(
  source: ClaimedSource,
  deps: ReadDeps,
  offset: number,
  known: Validators | null,
): Promise<Page | 'unchanged'> {
  deps.signal?.throwIfAborted();
  const page = await fetchItems(source.settings, offset, known, deps.fetchPage, deps.signal);
  if (page.status === 'unchanged') return 'unchanged';
  const seenAt = deps.now();
  try {
    const records = deps.parsePage(page.text, seenAt);
    return { text: page.text, records, seenAt, validators: { etag: page.etag, lastModified: page.lastModified } };
  } catch (cause) {
    throw new UnreadablePage(`The page can't be read: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}

/** `{"error": "busy"}` with status 200 is no list of cars. */
function refuseNonsense(records: readonly ParsedRecord[]): void {
  const nonsense = (record: ParsedRecord) =>
    'rejection' in record && (record.rejection.code === 'NO_ID' || record.rejection.code === 'MALFORMED');
  if (records.length > 0 && records.every(nonsense)) throw new UnreadablePage('The page holds no items.');
}

async function storePage(source: ClaimedSource, deps: ReadDeps, page: Page, records = page.records): Promise<Tally> {
  const tally: Tally = { fresh: 0, known: false, lagsMs: [] };
  let changed = 0;
  let unchanged = 0;
  for (let start = 0; start < records.length; start += STORED_AT_ONCE) {
    const part = records.slice(start, start + STORED_AT_ONCE);
    const stored = await deps.storeListings(deps.pool, source.name, part, { announce: source.firstReadDone });
    tally.fresh += stored.accepted;
    changed += stored.accepted + stored.updated;
    unchanged += stored.unchanged;
    for (const { status, facts } of stored.results) {
      if (status === 'accepted' && facts?.listedAt) tally.lagsMs.push(lagMs(facts.listedAt, page.seenAt));
    }
  }
  tally.known = changed === 0 && unchanged > 0;
  return tally;
}

/** What a new source had before we came says nothing about our speed. */
const medianLag = (source: ClaimedSource, lagsMs: number[]): number | null =>
  source.firstReadDone ? medianMs(lagsMs) : null;

const unchangedRead = (source: ClaimedSource): PollSuccess => ({
  cursor: source.cursor,
  etag: source.etag,
  lastModified: source.lastModified,
  lagMs: null,
  complete: false,
});

/**
 * From the top until a whole page is known, 20 pages at most. A first read goes on to the end, and after a read that
 * broke off a known page counts only below what that one had reached: what it stored hides the gap beneath.
 */
export async function readNewestFirst(source: ClaimedSource, deps: ReadDeps, db: Queryable): Promise<PollSuccess> {
  const reach = source.cursor.reach ?? 0;
  const conditional = source.firstReadDone && reach === 0;
  const lagsMs: number[] = [];
  let validators: Validators = { etag: null, lastModified: null };
  let previous = '';
  let offset = 0;
  let fresh = 0;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const page = await nextPage(source, deps, offset, pages === 0 && conditional ? source : null);
    if (page === 'unchanged') return unchangedRead(source);
    if (pages === 0) {
      validators = page.validators;
      refuseNonsense(page.records);
    }
    if (page.records.length === 0 || page.text === previous) break;
    previous = page.text;
    const tally = await storePage(source, deps, page);
    fresh += tally.fresh;
    lagsMs.push(...tally.lagsMs);
    // A server that does not page, or a file, has shown all there is.
    if (source.settings.file !== undefined || page.records.length > source.settings.pageSize) break;
    if (tally.known && source.firstReadDone && offset >= reach + fresh) break;
    offset += page.records.length;
    await saveCursor(db, source.name, { reach: Math.max(reach + fresh, offset) });
  }
  return { cursor: {}, ...validators, lagMs: medianLag(source, lagsMs), complete: true };
}

/** From the stored offset to the end, 20 pages at most; the offset moves on after each stored page. */
export async function readAppended(source: ClaimedSource, deps: ReadDeps, db: Queryable): Promise<PollSuccess> {
  const lagsMs: number[] = [];
  let offset = source.cursor.offset ?? 0;
  let atEnd: Validators | null = null;
  for (let pages = 0; pages < MAX_PAGES && !atEnd; pages++) {
    const page = await nextPage(source, deps, offset, pages === 0 ? source : null);
    if (page === 'unchanged') return { ...unchangedRead(source), complete: true };
    const whole = source.settings.file !== undefined;
    // A file that became shorter was begun anew.
    if (whole && page.records.length < offset) offset = 0;
    const records = whole ? page.records.slice(offset) : page.records;
    if (records.length > 0) {
      const tally = await storePage(source, deps, page, records);
      lagsMs.push(...tally.lagsMs);
      offset += records.length;
      await saveCursor(db, source.name, { offset });
    }
    // Validators belong to one offset: only those of the end are asked for again.
    if (records.length === 0 || whole) atEnd = page.validators;
  }
  return {
    cursor: { offset },
    etag: atEnd?.etag ?? null,
    lastModified: atEnd?.lastModified ?? null,
    lagMs: medianLag(source, lagsMs),
    complete: atEnd !== null,
  };
}
