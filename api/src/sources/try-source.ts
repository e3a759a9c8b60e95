import pLimit from 'p-limit';
import type { Pool } from '../base/database.ts';
import type { Encryption } from '../base/encryption.ts';
import type { ListingFacts, ParsedRecord, Rejection } from '../domain/facts/listing-facts.ts';
import { WebFetchError } from '../vendors/web-fetch-guard.ts';
import { type KindBodySettings, type RecordPage, requestDeps } from './kinds/source-kind.ts';
import { kindOf, type SourceSettings } from './kinds/source-kinds.ts';
import { pageAt } from './marketplace-items/marketplace-items-settings.ts';
import { type OpenDeps, openBody } from './open-body.ts';
import { asSourceFault } from './source-page.ts';

export interface TryDeps extends OpenDeps {
  /** For what a kind stores itself, such as the calls it made of a quota. */
  pool: Pool;
  encryption: Encryption;
}

export interface TriedSource {
  /** The first cars, as they would be stored. */
  facts: ListingFacts[];
  /** The first records that would be rejected, with why. */
  rejections: Rejection[];
  /** How many cars were read, and how many records that would be rejected. */
  accepted: number;
  rejected: number;
  /** How many of the cars have no place that is known, so that they match no alert. */
  placeless: number;
  /** Whether not all of the source was read. */
  hasMore: boolean;
  /** Why the source can't be read, or not to the end of its page, in words; null when it can. */
  error: string | null;
}

const CARS = 5;
const REJECTIONS = 3;
/** Of one page or file. */
const MAX_RECORDS = 1000;
/** A source that has a page for each car, or empty pages, is read until there are so many records. */
const SAMPLE_SIZE = 10;
/** Of one address or file. */
const MAX_BYTES = 20 * 1024 * 1024;
/** The browser gives up after 30 s. */
const TIMEOUT_MS = 20_000;

async function* bodyPages(settings: SourceSettings, deps: TryDeps, kind: Parameters<typeof openBody>[0]) {
  const wanted = settings.kind === 'marketplace-items' ? pageAt(settings, 0) : null;
  const page = await openBody(kind, settings as KindBodySettings, deps, wanted, null);
  if (page !== 'unchanged') yield page;
}

const nothing = () => Promise.resolve();

function pagesOf(settings: SourceSettings, deps: TryDeps): AsyncGenerator<RecordPage, unknown, undefined> {
  const kind = kindOf(settings.kind);
  if (kind.by === 'body') return bodyPages(settings, deps, kind);
  const source = { name: settings.name, settings, cursor: {}, firstReadDone: false };
  const nothingStored = { count: 0, fresh: 0, changed: 0, unchanged: 0 };
  const pages = kind.read(
    source,
    requestDeps(settings, { ...deps, sampleSize: SAMPLE_SIZE }, { saveCursor: nothing, inClaim: nothing }),
  );
  return (async function* () {
    try {
      for (let step = await pages.next(); !step.done; step = await pages.next(nothingStored)) yield step.value;
    } finally {
      await pages.return({ cursor: {}, complete: false });
    }
  })();
}

function take(tried: TriedSource, record: ParsedRecord): void {
  if ('facts' in record) {
    tried.accepted++;
    if (record.facts.lat === null) tried.placeless++;
    if (tried.facts.length < CARS) tried.facts.push(record.facts);
  } else {
    tried.rejected++;
    if (tried.rejections.length < REJECTIONS) tried.rejections.push(record.rejection);
  }
}

const countOf = ({ accepted, rejected }: TriedSource): number => accepted + rejected;

/** @returns whether the page has more records than are read */
async function takePage(tried: TriedSource, page: RecordPage): Promise<boolean> {
  try {
    for await (const record of page.records()) {
      take(tried, record);
      if (countOf(tried) >= MAX_RECORDS) return true;
    }
    return false;
  } finally {
    await page.close();
  }
}

/** Whether a page of a source that is one address is not the last. */
function isFullPage(settings: SourceSettings, count: number): boolean {
  return settings.kind === 'marketplace-items' && count >= settings.pageSize;
}

const isTooLarge = (error: unknown) => error instanceof WebFetchError && error.code === 'TOO_LARGE';

async function tryWithin(settings: SourceSettings, deps: TryDeps, late: AbortSignal): Promise<TriedSource> {
  const tried: TriedSource = {
    facts: [],
    rejections: [],
    accepted: 0,
    rejected: 0,
    placeless: 0,
    hasMore: false,
    error: null,
  };
  if (late.aborted) return { ...tried, error: 'Another source was being tried all the time. Try again.' };
  const isBody = kindOf(settings.kind).by === 'body';
  const signal = AbortSignal.any([late, ...(deps.signal ? [deps.signal] : [])]);
  try {
    for await (const page of pagesOf(settings, { ...deps, signal, maxBytes: MAX_BYTES })) {
      tried.hasMore = (await takePage(tried, page)) || isFullPage(settings, countOf(tried));
      if (!isBody && countOf(tried) >= SAMPLE_SIZE) {
        tried.hasMore = true;
        break;
      }
    }
    if (countOf(tried) === 0) tried.error = 'The source can be read, but has no records.';
  } catch (error) {
    // A reader that waits throws an AbortError, which says nothing of why.
    deps.signal?.throwIfAborted();
    if (late.aborted && countOf(tried) > 0) tried.hasMore = true;
    else if (late.aborted) tried.error = `No whole page within ${TIMEOUT_MS / 1000} s.`;
    else if (isTooLarge(error) && countOf(tried) > 0) tried.hasMore = true;
    else tried.error = asSourceFault(error).message;
  }
  return tried;
}

/** Each takes memory and time of the process that answers everybody's requests. */
const oneByOne = pLimit(1);

/**
 * Reads the first page of a source that has records, and stores none of them: the first five cars as they are read, and
 * the first three records that would be rejected. It takes 20 seconds at most, and reads 20 MB of a feed at most.
 * @param settings with their secrets, checked by `sourceSchema`
 */
export function trySource(settings: SourceSettings, deps: TryDeps): Promise<TriedSource> {
  const late = AbortSignal.timeout(TIMEOUT_MS);
  return oneByOne(() => tryWithin(settings, deps, late));
}
