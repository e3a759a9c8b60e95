import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import type { Pool, Queryable } from '../../base/database.ts';
import type { Encryption } from '../../base/encryption.ts';
import type { ParsedRecord } from '../../domain/facts/listing-facts.ts';
import type { Gazetteer } from '../../domain/places/places.ts';
import type { FetchPage, PageRequest } from '../../vendors/web-fetch.ts';
import type { ParseContext, SourceBody } from '../source-body.ts';
import type { BodySettings, CommonSettings } from './common-settings.ts';

/** Some records of a source, as they are read. */
export interface RecordPage {
  /** @throws WebFetchError, UnreadablePage after all complete records */
  records(): AsyncIterable<ParsedRecord>;
  /** The size of what is read, after decompression. */
  bytes: number;
  seenAt: Date;
  /** Its listings were there before the first read, so that they are not announced. */
  isInitialLoad?: boolean;
  close(): Promise<void>;
}

/** Counts of what was stored of one page. */
export interface StoredPage {
  count: number;
  /** Listings that were not known. */
  fresh: number;
  /** Listings that were not known or have changed. */
  changed: number;
  unchanged: number;
}

/** The end of a read without a fault. */
export interface ReadEnd {
  /** Where the next read begins; each kind has its own. */
  cursor: object;
  /** Whether all there is was read at least once; from then on new listings are announced. */
  complete: boolean;
  /** There were no items, and the source did not say that it has none. */
  isEmpty?: boolean;
  /** After a complete read of all there is: its ids. Listings that are absent twice in a row are gone. */
  present?: ReadonlySet<string>;
  /** Ids of which the source itself says that they are no longer there: these are gone at once. */
  gone?: ReadonlySet<string>;
  /** What the admin should know about a read without a fault, in a sentence. */
  remark?: string | null;
  /** The read is to go on from its cursor after so many seconds; until then other sources have their turn. */
  againInSeconds?: number;
  /** It is we who wait, for a quota of our own, so that the source's silence is no fault. */
  waitsForQuota?: boolean;
}

/** A source that is read by requests of its own. */
export interface RequestSource<S> {
  name: string;
  /** With their secrets. */
  settings: S;
  cursor: Readonly<Record<string, unknown>>;
  firstReadDone: boolean;
}

/** What a reader of a kind gets. */
export interface RequestDeps {
  /**
   * Fetches through the guard of `web-fetch.ts`, with its limits, and with the source's `allowPrivateNetwork` and signal.
   * The caller closes the body. @throws WebFetchError
   */
  request(page: Omit<PageRequest, 'allowPrivateNetwork' | 'signal'>): ReturnType<FetchPage>;
  /** Stores how far the read has come; after a fault the next read begins there. Does nothing when a source is tried. */
  saveCursor(cursor: object): Promise<void>;
  /**
   * Runs work in a transaction, which is rolled back when another reader has claimed the source. A trial has none.
   * @throws LeaseLost
   */
  inClaim(work: (db: Queryable) => Promise<void>): Promise<void>;
  /** Waits, unless the signal is aborted. */
  wait(ms: number): Promise<void>;
  /** For what a kind stores itself. */
  pool: Pool;
  encryption: Encryption;
  gazetteer: Gazetteer;
  now: () => Date;
  signal?: AbortSignal | undefined;
  /** When a source is tried: how many records are shown, so that no calls are made for more. Nothing may be stored. */
  sampleSize?: number;
}

/**
 * Reads a source page by page. What `yield` returns says how the page was stored; a page that can't be stored ends the
 * generator. It closes what it opened in `finally`.
 * @throws WebFetchError for a fault of the source, with its Retry-After; AppError MALFORMED for an answer that can't be read
 */
export type ReadPages<S> = (
  source: RequestSource<S>,
  deps: RequestDeps,
) => AsyncGenerator<RecordPage, ReadEnd, StoredPage>;

export type KindSettings = CommonSettings & { kind: string };
export type KindBodySettings = BodySettings & { kind: string };

interface KindBase<S extends KindSettings> {
  kind: S['kind'];
  settings: z.ZodType<S>;
  /** The settings that are stored encrypted, as paths: `header.value`. */
  secrets: readonly string[];
  /** The names of those settings that say what is read. When one changes, what is stored about earlier reads is dropped. */
  restartsRead: readonly string[];
  /**
   * Those of `restartsRead` that say whose cars are read, and not how. When one changes, the next read is a first one: it
   * announces no car.
   */
  makesFirstRead: readonly string[];
}

/** A kind of sources that are one address or file, or pages of one. Its settings have the fields of `bodySettings`. */
export interface BodyKind<S extends KindSettings = KindBodySettings> extends KindBase<S> {
  by: 'body';
  records(body: SourceBody, context: ParseContext, settings: S): AsyncIterable<ParsedRecord>;
}

/** A kind of sources that are read by requests of their own. */
export interface RequestKind<S extends KindSettings = KindSettings> extends KindBase<S> {
  by: 'requests';
  read(...given: Parameters<ReadPages<S>>): ReturnType<ReadPages<S>>;
}

export type SourceKindParts<S extends KindSettings> = BodyKind<S> | RequestKind<S>;
export type AnyKind = BodyKind | RequestKind;

/** Types the row of a kind by its settings. */
export const sourceKind = <S extends KindSettings>(parts: SourceKindParts<S>): SourceKindParts<S> => parts;

/** What a reader by requests gets. */
export const requestDeps = (
  { allowPrivateNetwork }: Pick<KindSettings, 'allowPrivateNetwork'>,
  deps: Omit<RequestDeps, 'request' | 'wait' | keyof ClaimParts> & RequestParts,
  claimed: ClaimParts,
): RequestDeps => ({
  ...deps,
  request: (page) =>
    deps.fetchPage({
      ...page,
      headers: { 'user-agent': deps.userAgent ?? 'LotWatch/1.0', ...page.headers },
      allowPrivateNetwork,
      signal: deps.signal,
    }),
  ...claimed,
  wait: deps.wait ?? (async (ms) => void (await sleep(ms, undefined, { signal: deps.signal }))),
});

/** What is stored of the source itself while it is read. */
type ClaimParts = Pick<RequestDeps, 'saveCursor' | 'inClaim'>;

interface RequestParts {
  fetchPage: FetchPage;
  /** How we introduce ourselves to the sites that are read. */
  userAgent?: string | undefined;
  /** Tests pass their own. */
  wait?: RequestDeps['wait'] | undefined;
}
