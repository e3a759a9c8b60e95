import { AppError } from '../../base/errors.ts';
import type { ParsedRecord } from '../../domain/facts/listing-facts.ts';
import { WebFetchError } from '../../vendors/web-fetch-guard.ts';
import type { ReadEnd, ReadPages, RecordPage, RequestDeps, RequestSource, StoredPage } from '../kinds/source-kind.ts';
import { sourceKind } from '../kinds/source-kind.ts';
import { isRecord } from '../record/record-fields.ts';
import { parseFeedRow } from '../vehicle-feed/parse-feed-row.ts';
import { EbayClient } from './ebay-client.ts';
import { ebayRow, type ItemDetails, itemDetails } from './ebay-row.ts';
import { type EbaySettings, ebaySettings } from './ebay-settings.ts';
import { idsWithoutDetails, keepDetails, knownIds, readDetails } from './item-details.ts';

const PAGE = 200;
/** eBay shows no more of a search. */
const MAX_ITEMS = 10_000;
const DAY_MS = 86_400_000;
/** After a wait, a read may make so many calls besides those for the pages that it reads again. */
const CALLS_TO_GO_ON = 5;
/** A longer wait is made in parts, so that health sees that the source is not silent. */
const MAX_PAUSE_SECONDS = 300;
/** How many cars of earlier reads get their details in one read: new cars wait until it ends. */
const LATER_DETAILS = 60;
/** How many cars are remembered of which the details can't be read. */
const MAX_SKIPPED = 20;

type Item = Record<string, unknown>;

interface SearchPage {
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

const idOf = ({ itemId }: Item): string => (typeof itemId === 'string' ? itemId : '');

/** A car of which the summary states all that counts needs no call for its details. */
function isComplete(record: ParsedRecord): boolean {
  if ('rejection' in record) return false;
  const { make, model, year, mileageMiles } = record.facts;
  return make !== '' && model !== null && year !== null && mileageMiles !== null;
}

/** What a read leaves for the next one, as it is stored. */
interface Cursor {
  /** When the last whole read began. */
  wholeAt?: string | undefined;
  /** How many cars from the top a read that did not end had come. */
  reach?: number;
  /** For how many calls the read waits. */
  calls?: number;
  /** All cars have their details. */
  detailed?: boolean;
  /** Ids of cars of which the details could not be read; they are asked for again after the next whole read. */
  skipped?: string[] | undefined;
}

const isQuota = (error: unknown) => error instanceof WebFetchError && error.code === 'QUOTA';
/** Whether only this item's answer is at fault, as far as can be told. */
const isOfItem = (error: unknown): error is Error =>
  error instanceof AppError || (error instanceof WebFetchError && (error.status === 400 || error.status === 500));

class EbayReader {
  private readonly client: EbayClient;
  private readonly source: RequestSource<EbaySettings>;
  private readonly deps: RequestDeps;
  /** An item that moves to the next page while the pages are read is there twice. */
  private readonly seen = new Set<string>();
  private cursor: Cursor;
  /** Pages that this read has fetched. */
  private pages = 0;
  /** The calls were used up amid a page, of which the rest was not read. */
  isOut = false;
  private fault: string | null = null;

  constructor(source: RequestSource<EbaySettings>, deps: RequestDeps) {
    this.client = new EbayClient(source.settings, deps);
    this.source = source;
    this.deps = deps;
    this.cursor = source.cursor;
  }

  async page(offset: number, limit: number): Promise<SearchPage> {
    const page = searchPage(await this.client.search(offset, limit), offset, limit);
    this.pages++;
    return page;
  }

  /** Stores how far from the top this read has come. */
  async reached(reach: number): Promise<void> {
    const { calls: _, ...cursor } = this.cursor;
    this.cursor = { ...cursor, reach };
    await this.deps.saveCursor(this.cursor);
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
      ownWait: true,
    };
  }

  /** Asks for the details of an item, and stores them. @throws WebFetchError QUOTA when it has to wait */
  private async ask(id: string): Promise<{ details: ItemDetails; item: Item | null }> {
    const answer = await this.client.item(id);
    const details = answer ? itemDetails(answer.value) : { ended: true };
    if (this.deps.enough === undefined) await keepDetails(this.deps.pool, this.source.name, id, details);
    return { details, item: isRecord(answer?.value) ? answer.value : null };
  }

  /** The details of an item that lacks something; null without them. @throws WebFetchError QUOTA when it has to wait */
  private async detailsOf(id: string, isNew: boolean): Promise<ItemDetails | null> {
    // Cars that were there before the first read, or were stored without details, can wait.
    if (!(isNew && this.source.firstReadDone) && !(await this.client.account.canSpare())) return null;
    return (await this.ask(id)).details;
  }

  /** Ends the records of a page where the calls are used up; a trial says so. */
  async *untilOut(records: AsyncGenerator<ParsedRecord>): AsyncGenerator<ParsedRecord> {
    try {
      yield* records;
    } catch (error) {
      if (!isQuota(error) || this.deps.enough !== undefined) throw error;
      this.isOut = true;
    }
  }

  /** The page's records, one by one, with their details. A fault is thrown after those that were complete before it. */
  async *records({ items }: SearchPage, seenAt: Date): AsyncGenerator<ParsedRecord> {
    const { pool, gazetteer } = this.deps;
    const fresh = items.filter((item) => idOf(item) === '' || !this.seen.has(idOf(item)));
    const ids = fresh.map(idOf);
    const stored = await readDetails(pool, this.source.name, ids);
    const known = await knownIds(pool, this.source.name, ids);
    const context = { gazetteer, now: seenAt };
    for (const item of fresh) {
      const id = idOf(item);
      if (id !== '' && this.seen.has(id)) continue;
      let details = stored.get(id) ?? null;
      let record = parseFeedRow(ebayRow(item, details), context);
      if (id !== '' && details === null && !isComplete(record)) {
        details = await this.detailsOf(id, !known.has(id));
        if (details !== null) record = parseFeedRow(ebayRow(item, details), context);
      }
      this.seen.add(id);
      if (!details?.ended) yield record;
    }
  }

  /** The newest cars of earlier reads that have no details yet, as far as calls can be spared; null when all have them. */
  async withoutDetails(): Promise<string[] | null> {
    const { detailed, skipped = [] } = this.cursor;
    if (detailed) return null;
    if (!(await this.client.account.canSpare())) return [];
    const ids = await idsWithoutDetails(this.deps.pool, this.source.name, { skipped, most: LATER_DETAILS });
    return ids.length > 0 ? ids : null;
  }

  /** Such cars with their details. One whose answer is at fault ends them, and is skipped from then on. */
  async *completed(ids: readonly string[], seenAt: Date): AsyncGenerator<ParsedRecord> {
    const context = { gazetteer: this.deps.gazetteer, now: seenAt };
    for (const id of ids) {
      if (!(await this.client.account.canSpare())) return;
      try {
        const { details, item } = await this.ask(id);
        if (item) yield parseFeedRow(ebayRow(item, details), context);
      } catch (error) {
        if (!isOfItem(error)) throw error;
        this.fault = `The details of ${id} could not be read: ${error.message}`;
        this.cursor = { ...this.cursor, skipped: [...(this.cursor.skipped ?? []), id].slice(-MAX_SKIPPED) };
        return;
      }
    }
  }

  /** @param wholeAt when the last read of all pages began */
  end(wholeAt: string | undefined, left: Pick<Cursor, 'detailed'> | null): ReadEnd {
    const { skipped } = this.cursor;
    return {
      cursor: { wholeAt, ...(left && { ...left, skipped }) } satisfies Cursor,
      complete: true,
      remark: this.fault,
    };
  }
}

const recordPage = (records: AsyncGenerator<ParsedRecord>, bytes: number, seenAt: Date): RecordPage => ({
  records: () => records,
  bytes,
  seenAt,
  close: () => Promise.resolve(),
});

/**
 * Reads the newest cars until a whole page of them is known. Once a day, and first of all, it reads on to the end of the
 * search, so that prices are renewed and no car that is still offered counts as unseen; other reads spend what calls can
 * be spared on cars without details. After an interrupted read, known pages above the depth that it reached don't end the
 * read.
 */
async function* readPages(
  reader: EbayReader,
  source: RequestSource<EbaySettings>,
  deps: RequestDeps,
): AsyncGenerator<RecordPage, ReadEnd, StoredPage> {
  const limit = Math.min(PAGE, deps.enough ?? PAGE);
  const { reach: depth = 0, wholeAt } = source.cursor as Cursor;
  const startedAt = deps.now();
  const isWhole = !source.firstReadDone || !(startedAt.getTime() - Date.parse(wholeAt ?? '') < DAY_MS);
  let fresh = 0;
  let reachedEnd = false;
  for (let offset = 0; ; ) {
    const page = await reader.page(offset, limit);
    await reader.reached(Math.max(depth + fresh, offset) + page.items.length);
    const seenAt = deps.now();
    const tally = yield recordPage(reader.untilOut(reader.records(page, seenAt)), page.bytes, seenAt);
    if (reader.isOut) return reader.pause();
    fresh += tally.fresh;
    offset += limit;
    reachedEnd = page.items.length === 0 || offset >= Math.min(page.total, MAX_ITEMS);
    const isKnown = tally.changed === 0 && offset >= depth + fresh;
    if (reachedEnd || (isKnown && !isWhole)) break;
  }
  const lastWhole = reachedEnd ? startedAt.toISOString() : wholeAt;
  if (isWhole) return reader.end(lastWhole, null);
  const ids = await reader.withoutDetails();
  if (ids && ids.length > 0) {
    const seenAt = deps.now();
    yield recordPage(reader.untilOut(reader.completed(ids, seenAt)), 0, seenAt);
  }
  return reader.end(lastWhole, { detailed: ids === null });
}

const readEbay: ReadPages<EbaySettings> = async function* (source, deps) {
  const reader = new EbayReader(source, deps);
  const waiting = deps.enough === undefined ? await reader.waiting() : null;
  if (waiting) return waiting;
  try {
    return yield* readPages(reader, source, deps);
  } catch (error) {
    if (!isQuota(error) || deps.enough !== undefined) throw error;
    return reader.pause();
  }
};

/** eBay's cars, by its Browse API. */
export const ebay = sourceKind<EbaySettings>({
  kind: 'ebay',
  settings: ebaySettings,
  secrets: ['clientSecret'],
  address: ['apiBase', 'zip', 'radiusMiles'],
  stock: ['apiBase', 'zip', 'radiusMiles'],
  by: 'requests',
  read: readEbay,
});
