import type { ParsedRecord } from '../../domain/facts/listing-facts.ts';
import type { ReadEnd, ReadPages, RecordPage, RequestDeps, RequestSource, StoredPage } from '../kinds/source-kind.ts';
import { sourceKind } from '../kinds/source-kind.ts';
import { type Cursor, EbayReader, isQuota, type SearchPage, type WholeRead } from './ebay-reader.ts';
import { type EbaySettings, ebaySettings } from './ebay-settings.ts';

const PAGE = 200;
/** eBay shows no more of a search. */
const MAX_ITEMS = 10_000;
const DAY_MS = 86_400_000;

const recordPage = (records: AsyncGenerator<ParsedRecord>, bytes: number, seenAt: Date): RecordPage => ({
  records: () => records,
  bytes,
  seenAt,
  close: () => Promise.resolve(),
});

/** The whole read that is under way or due; null when the last one began within a day. */
function wholeRead({ firstReadDone, cursor }: RequestSource<EbaySettings>, now: Date): WholeRead | null {
  const { whole, wholeAt } = cursor as Cursor;
  if (whole) return whole;
  if (firstReadDone && now.getTime() - Date.parse(wholeAt ?? '') < DAY_MS) return null;
  return { startedAt: now.toISOString(), offset: 0, isFirst: !firstReadDone };
}

/**
 * Reads the newest cars until a whole page of them is known. Once a day, and first of all, all pages are read, as far as
 * calls can be spared, and from there on in later reads, so that prices are renewed and no car that is still offered counts
 * as unseen. Other reads spend what calls can be spared on cars without details. After an interrupted read, known pages
 * above the depth that it reached don't end the read.
 */
async function* readPages(
  reader: EbayReader,
  source: RequestSource<EbaySettings>,
  deps: RequestDeps,
): AsyncGenerator<RecordPage, ReadEnd, StoredPage> {
  const limit = Math.min(PAGE, deps.sampleSize ?? PAGE);
  const { reach: depth = 0, wholeAt } = source.cursor as Cursor;
  const startedAt = deps.now();
  const whole = wholeRead(source, startedAt);
  const isLast = (page: SearchPage, end: number) => page.items.length === 0 || end >= Math.min(page.total, MAX_ITEMS);
  const read = (page: SearchPage, isInitialLoad: boolean): RecordPage => {
    const seenAt = deps.now();
    const records = reader.untilOut(reader.records(page, seenAt, isInitialLoad));
    return { ...recordPage(records, page.bytes, seenAt), isInitialLoad };
  };
  let fresh = 0;
  let offset = 0;
  let reachedEnd = false;
  for (let isKnown = false; !isKnown && !reachedEnd; ) {
    const page = await reader.page(offset, limit);
    await reader.reached(Math.max(depth + fresh, offset) + page.items.length);
    const tally = yield read(page, !source.firstReadDone);
    if (reader.isOut) return reader.pause();
    fresh += tally.fresh;
    offset += limit;
    reachedEnd = isLast(page, offset);
    isKnown = tally.changed === 0 && offset >= depth + fresh;
    // Of the pages that the first whole read has not reached, no car is new.
    if (whole?.isFirst && offset + limit > whole.offset + fresh) break;
  }
  if (whole) {
    if (!reachedEnd) {
      offset = Math.max(offset, whole.offset);
      await reader.wholeReached({ ...whole, offset });
    }
    while (!reachedEnd && (await reader.canSparePage())) {
      const page = await reader.page(offset, limit);
      yield read(page, whole.isFirst);
      if (reader.isOut) return reader.pause();
      offset += limit;
      reachedEnd = isLast(page, offset);
      await reader.wholeReached({ ...whole, offset });
    }
    const cursor: Cursor = reachedEnd ? { wholeAt: whole.startedAt } : { wholeAt, whole: { ...whole, offset } };
    return { cursor, complete: true };
  }
  const ids = await reader.withoutDetails();
  if (ids && ids.length > 0) {
    const seenAt = deps.now();
    yield recordPage(reader.untilOut(reader.completed(ids, seenAt)), 0, seenAt);
  }
  const cursor: Cursor = { wholeAt: reachedEnd ? startedAt.toISOString() : wholeAt, detailed: ids === null };
  return { cursor, complete: true };
}

const readEbay: ReadPages<EbaySettings> = async function* (source, deps) {
  const reader = new EbayReader(source, deps);
  const waiting = deps.sampleSize === undefined ? await reader.waiting() : null;
  if (waiting) return waiting;
  try {
    return yield* readPages(reader, source, deps);
  } catch (error) {
    if (!isQuota(error) || deps.sampleSize !== undefined) throw error;
    return reader.pause();
  }
};

/** eBay's cars, by its Browse API. */
export const ebay = sourceKind<EbaySettings>({
  kind: 'ebay',
  settings: ebaySettings,
  secrets: ['clientSecret'],
  restartsRead: ['apiBase', 'zip', 'radiusMiles'],
  makesFirstRead: ['apiBase', 'zip', 'radiusMiles'],
  by: 'requests',
  read: readEbay,
});
