import { AppError } from '../../base/errors.ts';
import { type ParsedRecord, storableText } from '../../domain/facts/listing-facts.ts';
import { WebFetchError } from '../../vendors/web-fetch-guard.ts';
import type { ReadEnd, RequestDeps, RequestSource } from '../kinds/source-kind.ts';
import { isRecord } from '../record/record-fields.ts';
import { parseFeedRow } from '../vehicle-feed/parse-feed-row.ts';
import { EbayClient, type ItemFault } from './ebay-client.ts';
import { ebayRow, type ItemDetails, itemDetails } from './ebay-row.ts';
import type { EbaySettings } from './ebay-settings.ts';
import { idsWithoutDetails, keepDetails, knownIds, readDetails } from './item-details.ts';

/** After a wait, a read may make so many calls besides those for the pages that it reads again. */
const CALLS_TO_GO_ON = 5;
/** A longer wait is made in parts, so that health sees that the source is not silent. */
const MAX_PAUSE_SECONDS = 300;
/** How many cars of earlier reads get their details in one read: new cars wait until it ends. */
const LATER_DETAILS = 60;
/** The shares of the calls at once that are kept from old pages, and from the details of cars that are not new. */
const KEPT_FROM_PAGES = 1 / 4;
const KEPT_FROM_DETAILS = 1 / 2;
/** After so many faults in a row, eBay rather than an item is at fault. */
const MAX_FAULTS = 3;
const MAX_ID = 200;

type Item = Record<string, unknown>;

export interface SearchPage {
  items: Item[];
  total: number;
  bytes: number;
}

/** @throws AppError MALFORMED where the answer is no page of a search */
function searchPage({ value, bytes }: { value: unknown; bytes: number }, offset: number, limit: number): SearchPage {
  const bad = (why: string) => new AppError('MALFORMED', `eBay's answer to the search has another shape: ${why}.`);
  if (!isRecord(value)) throw bad('it is no object');
  const { total, itemSummaries: items = [] } = value;
  if (typeof total !== 'number') throw bad('it states no total');
  if (!Array.isArray(items) || !items.every(isRecord)) throw bad('itemSummaries is no list of items');
  if (items.length > 0 && !items.some(({ itemId }) => typeof itemId === 'string')) throw bad('no item has an itemId');
  // The total of a search changes while it is read, so that the last page may be empty.
  if (items.length === 0 && total - offset >= (offset === 0 ? 1 : limit)) {
    throw new AppError('MALFORMED', `eBay's page at ${offset} is empty, although the search has ${total} items.`);
  }
  return { items, total, bytes };
}

/** As it is stored. */
const idOf = ({ itemId }: Item): string => (typeof itemId === 'string' ? storableText(itemId) : '');

/** A car of which the summary states all that counts needs no call for its details. */
function isComplete(record: ParsedRecord): boolean {
  if ('rejection' in record) return false;
  const { make, model, year, mileageMiles } = record.facts;
  return make !== '' && model !== null && year !== null && mileageMiles !== null;
}

/** What a read leaves for the next one, as it is stored. */
export interface Cursor {
  /** When the last whole read began. */
  wholeAt?: string | undefined;
  /** How many cars from the top a read that did not end had come. */
  reach?: number;
  /** For how many calls the read waits. */
  calls?: number;
  /** All cars have their details. */
  detailed?: boolean;
  /** A whole read that is not at its end. */
  whole?: WholeRead | undefined;
}

/** A read of all pages, which goes on from read to read as far as calls can be spared. */
export interface WholeRead {
  startedAt: string;
  /** How far from the top it has come. */
  offset: number;
  /** What it finds was there before the first read. */
  isFirst: boolean;
}

/** What is stored of an item that could not be read. It is asked for again a day later. */
const withoutAnswer = ({ kind }: ItemFault, old: ItemDetails | null): ItemDetails =>
  kind === 'ended' ? { ended: true } : { ...old, failed: true };

export const isQuota = (error: unknown) => error instanceof WebFetchError && error.code === 'QUOTA';

/** Reads pages of eBay's search, and details of items, as far as the calls reach. */
export class EbayReader {
  private readonly client: EbayClient;
  private readonly source: RequestSource<EbaySettings>;
  private readonly deps: RequestDeps;
  /** An item that moves to the next page while the pages are read is there twice. */
  private readonly seen = new Set<string>();
  private cursor: Cursor;
  /** Pages of the newest cars that this read has fetched. */
  private pages = 0;
  private faultsInARow = 0;
  /** The calls were used up amid a page, of which the rest was not read. */
  isOut = false;

  constructor(source: RequestSource<EbaySettings>, deps: RequestDeps) {
    this.client = new EbayClient(source.settings, deps);
    this.source = source;
    this.deps = deps;
    this.cursor = source.cursor;
  }

  async page(offset: number, limit: number): Promise<SearchPage> {
    return searchPage(await this.client.search(offset, limit), offset, limit);
  }

  /** Stores how far from the top this read has come. */
  async reached(reach: number): Promise<void> {
    const { calls: _, ...cursor } = this.cursor;
    this.cursor = { ...cursor, reach };
    this.pages++;
    await this.deps.saveCursor(this.cursor);
  }

  /** Stores that the newest cars are read, and how far the whole read has come. */
  async wholeReached(whole: WholeRead): Promise<void> {
    const { wholeAt } = this.cursor;
    this.cursor = { wholeAt, whole };
    await this.deps.saveCursor(this.cursor);
  }

  /** Whether a page may be read that can wait. */
  canSparePage(): Promise<boolean> {
    return this.client.account.canSpare(KEPT_FROM_PAGES);
  }

  /** The wait that an earlier read began; null when it is over. */
  async waiting(): Promise<ReadEnd | null> {
    const { calls } = this.cursor;
    return calls === undefined || (await this.client.account.secondsUntil(calls)) === 0 ? null : this.pause(calls);
  }

  /** Waits until a read that begins again gets further than this one. */
  async pause(calls = this.pages + CALLS_TO_GO_ON): Promise<ReadEnd> {
    const { account } = this.client;
    const seconds = Math.max(1, await account.secondsUntil(calls));
    return {
      cursor: { ...this.cursor, calls },
      complete: false,
      remark: account.waitingWords(seconds),
      againInSeconds: Math.min(seconds, MAX_PAUSE_SECONDS),
      waitsForQuota: true,
    };
  }

  /** Asks for the details of an item, and stores them. @throws WebFetchError QUOTA when it has to wait */
  private async ask(id: string, old: ItemDetails | null): Promise<{ details: ItemDetails; item: Item | null }> {
    const answer = await this.client.item(id);
    const details = answer.kind === 'item' ? itemDetails(answer.item) : withoutAnswer(answer, old);
    if (this.deps.sampleSize === undefined) await keepDetails(this.deps.pool, this.source.name, id, details);
    this.faultsInARow = answer.kind === 'fault' ? this.faultsInARow + 1 : 0;
    if (answer.kind === 'fault' && this.faultsInARow === MAX_FAULTS) throw answer.error;
    return { details, item: answer.kind === 'item' ? answer.item : null };
  }

  /** The details of an item that lacks something, or those it had. @throws WebFetchError QUOTA when it has to wait */
  private async detailsOf(id: string, old: ItemDetails | null, canWait: boolean): Promise<ItemDetails | null> {
    if (canWait && !(await this.client.account.canSpare(KEPT_FROM_DETAILS))) return old;
    return (await this.ask(id, old)).details;
  }

  /** Ends the records of a page where the calls are used up; a trial says so. */
  async *untilOut(records: AsyncGenerator<ParsedRecord>): AsyncGenerator<ParsedRecord> {
    try {
      yield* records;
    } catch (error) {
      if (!isQuota(error) || this.deps.sampleSize !== undefined) throw error;
      this.isOut = true;
    }
  }

  /**
   * The page's records, one by one, with their details. A fault is thrown after those that were complete before it.
   * @param isInitialLoad whether cars that are not stored were there before the first read
   */
  async *records({ items }: SearchPage, seenAt: Date, isInitialLoad: boolean): AsyncGenerator<ParsedRecord> {
    const { pool, gazetteer } = this.deps;
    const fresh = items.filter((item) => idOf(item) === '' || !this.seen.has(idOf(item)));
    const ids = fresh.map(idOf);
    const stored = await readDetails(pool, this.source.name, ids);
    const known = await knownIds(pool, this.source.name, ids);
    const context = { gazetteer, now: seenAt };
    for (const item of fresh) {
      const id = idOf(item);
      if (id !== '' && this.seen.has(id)) continue;
      const had = stored.get(id);
      let details = had?.details ?? null;
      let record = parseFeedRow(ebayRow(item, details), context);
      if (id !== '' && id.length <= MAX_ID && (had ? had.isOld : !isComplete(record))) {
        details = await this.detailsOf(id, details, isInitialLoad || details !== null || known.has(id));
        if (details !== null) record = parseFeedRow(ebayRow(item, details), context);
      }
      this.seen.add(id);
      if (!details?.ended) yield record;
    }
  }

  /** The newest cars of earlier reads that have no details yet, as far as calls can be spared; null when all have them. */
  async withoutDetails(): Promise<string[] | null> {
    if (this.cursor.detailed) return null;
    if (!(await this.client.account.canSpare(KEPT_FROM_DETAILS))) return [];
    const ids = await idsWithoutDetails(this.deps.pool, this.source.name, LATER_DETAILS);
    return ids.length > 0 ? ids : null;
  }

  /** Such cars with their details. */
  async *completed(ids: readonly string[], seenAt: Date): AsyncGenerator<ParsedRecord> {
    const context = { gazetteer: this.deps.gazetteer, now: seenAt };
    for (const id of ids) {
      if (!(await this.client.account.canSpare(KEPT_FROM_DETAILS))) return;
      const { details, item } = await this.ask(id, null);
      if (item) yield parseFeedRow(ebayRow(item, details), context);
    }
  }
}
