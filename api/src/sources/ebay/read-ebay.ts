import { AppError } from '../../base/errors.ts';
import type { ParsedRecord } from '../../domain/facts/listing-facts.ts';
import type { ReadPages, RecordPage, RequestDeps, RequestSource } from '../kinds/source-kind.ts';
import { sourceKind } from '../kinds/source-kind.ts';
import { isRecord } from '../record/record-fields.ts';
import { parseFeedRow } from '../vehicle-feed/parse-feed-row.ts';
import { EbayClient } from './ebay-client.ts';
import { ebayRow, type ItemDetails, itemDetails } from './ebay-row.ts';
import { type EbaySettings, ebaySettings } from './ebay-settings.ts';
import { keepDetails, knownIds, readDetails } from './item-details.ts';

const PAGE = 200;
/** eBay shows no more of a search. */
const MAX_ITEMS = 10_000;
const DAY_MS = 86_400_000;

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

class EbayReader {
  private readonly client: EbayClient;
  private readonly source: RequestSource<EbaySettings>;
  private readonly deps: RequestDeps;
  /** An item that moves to the next page while the pages are read is there twice. */
  private readonly seen = new Set<string>();

  constructor(source: RequestSource<EbaySettings>, deps: RequestDeps) {
    this.client = new EbayClient(source.settings, deps);
    this.source = source;
    this.deps = deps;
  }

  async page(offset: number, limit: number): Promise<SearchPage> {
    return searchPage(await this.client.search(offset, limit), offset, limit);
  }

  /** The details of an item that lacks something; null without them. @throws WebFetchError QUOTA when it has to wait */
  private async detailsOf(item: Item, isNew: boolean): Promise<ItemDetails | null> {
    const { firstReadDone, name } = this.source;
    // Cars that were there before the first read, or were stored without details, can wait.
    if (!(isNew && firstReadDone) && !(await this.client.account.canSpare())) return null;
    const answer = await this.client.item(idOf(item));
    const details = answer ? itemDetails(answer.value) : { ended: true };
    if (this.deps.enough === undefined) await keepDetails(this.deps.pool, name, idOf(item), details);
    return details;
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
        details = await this.detailsOf(item, !known.has(id));
        if (details !== null) record = parseFeedRow(ebayRow(item, details), context);
      }
      this.seen.add(id);
      if (!details?.ended) yield record;
    }
  }
}

/**
 * Reads the newest cars until a whole page of them is known. Once a day, and first of all, it reads on to the end of the
 * search, so that prices are renewed and no car that is still offered counts as unseen. After an interrupted read, known
 * pages above the depth that it reached don't end the read.
 */
const readEbay: ReadPages<EbaySettings> = async function* (source, deps) {
  const reader = new EbayReader(source, deps);
  const limit = Math.min(PAGE, deps.enough ?? PAGE);
  const { reach, wholeAt } = source.cursor;
  const depth = typeof reach === 'number' ? reach : 0;
  const lastWhole = typeof wholeAt === 'string' ? Date.parse(wholeAt) : Number.NaN;
  const startedAt = deps.now();
  const isWhole = !source.firstReadDone || !(startedAt.getTime() - lastWhole < DAY_MS);
  let fresh = 0;
  let reachedEnd = false;
  for (let offset = 0; ; ) {
    const page = await reader.page(offset, limit);
    await deps.saveCursor({ ...source.cursor, reach: Math.max(depth + fresh, offset) + page.items.length });
    const seenAt = deps.now();
    const tally = yield {
      records: () => reader.records(page, seenAt),
      bytes: page.bytes,
      seenAt,
      close: () => Promise.resolve(),
    } satisfies RecordPage;
    fresh += tally.fresh;
    offset += limit;
    reachedEnd = page.items.length === 0 || offset >= Math.min(page.total, MAX_ITEMS);
    const isKnown = tally.changed === 0 && offset >= depth + fresh;
    if (reachedEnd || (isKnown && !isWhole)) break;
  }
  const cursor = reachedEnd ? { wholeAt: startedAt.toISOString() } : { wholeAt };
  return { cursor, complete: true };
};

/** eBay's cars, by its Browse API. */
export const ebay = sourceKind<EbaySettings>({
  kind: 'ebay',
  settings: ebaySettings,
  secrets: ['clientSecret'],
  address: ['apiBase', 'zip', 'radiusMiles'],
  by: 'requests',
  read: readEbay,
});
