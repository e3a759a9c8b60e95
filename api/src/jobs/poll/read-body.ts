import type { Queryable } from '../../base/database.ts';
import type { ParsedRecord } from '../../domain/facts/listing-facts.ts';
import { isWholeSource } from '../../domain/whole-sources.ts';
import { requireClaim } from '../../sources/claim-source.ts';
import type { Validators } from '../../sources/fetch-source.ts';
import type { BodyKind, KindBodySettings } from '../../sources/kinds/source-kind.ts';
import { type MarketplaceItemsSettings, pageAt } from '../../sources/marketplace-items/marketplace-items-settings.ts';
import { type OpenedPage, openBody } from '../../sources/open-body.ts';
import { type PollSuccess, saveCursor } from '../../sources/record-poll.ts';
import { idOf } from '../../sources/source-page.ts';
import { hasListings } from './first-read.ts';
import { medianLag, type OpenedSource, observing, type ReadDeps, storeRecords } from './store-records.ts';

type ReadBody<S = KindBodySettings> = (kind: BodyKind, source: OpenedSource<S>, deps: ReadDeps) => Promise<PollSuccess>;

const MAX_PAGES = 20;

const openPage = (
  kind: BodyKind,
  { settings }: OpenedSource<MarketplaceItemsSettings>,
  deps: ReadDeps,
  offset: number,
  known: Validators | null,
) => openBody(kind, settings, deps, pageAt(settings, offset), known);

/** The outcome of a read that the source answers with "unchanged". */
const unchangedRead = (source: OpenedSource<unknown>): PollSuccess => ({
  cursor: source.cursor,
  etag: source.etag,
  lastModified: source.lastModified,
  lagMs: null,
  complete: false,
});

const EMPTY = 'It answers without items, although it had some. Check whether its address still leads to them.';

/**
 * Reads from the newest page until a whole page is known (a first read, and one of items in any order: to the end), 20 pages
 * at most. After an interrupted read, known pages above the depth it reached don't end the read: below them may be listings
 * that were never read.
 */
const readNewestFirst: ReadBody<MarketplaceItemsSettings> = async (kind, source, deps) => {
  const { settings, firstReadDone } = source;
  const interruptedDepth = source.cursor.reach ?? 0;
  const lagsMs: number[] = [];
  let validators: Validators = { etag: null, lastModified: null };
  let previous = '';
  let offset = 0;
  let fresh = 0;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    // A first page that has not changed says nothing of the others, unless they follow it in time.
    const isFirst = pages === 0 && (settings.order !== 'any' || settings.file !== undefined);
    const mayBeUnchanged = isFirst && firstReadDone && interruptedDepth === 0;
    const page = await openPage(kind, source, deps, offset, mayBeUnchanged ? source : null);
    if (page === 'unchanged') return unchangedRead(source);
    if (pages === 0) validators = page.validators;
    const ids: (string | null)[] = [];
    const records = observing(page.records(), (record) => {
      if (ids.length <= settings.pageSize) ids.push(idOf(record));
    });
    const reached = Math.max(interruptedDepth + fresh, offset) + settings.pageSize;
    // The depth is saved before the records, or a worker that dies in between would hide the gap below them.
    const tally = await saveCursor(deps.pool, source, { reach: reached })
      .then(() => storeRecords(source, deps, { ...page, records }, async () => {}))
      .finally(page.close);
    lagsMs.push(...tally.lagsMs);
    const shown = JSON.stringify(ids);
    if (tally.count === 0 && pages === 0) {
      const remark = (await hasListings(deps.pool, source.name)) ? EMPTY : null;
      const end = { ...unchangedRead(source), cursor: {}, complete: true, isEmpty: true, remark };
      // Without validators, as an answer of "unchanged" would end the remark.
      return remark ? { ...end, etag: null, lastModified: null } : { ...end, ...validators };
    }
    if (tally.count === 0 || shown === previous) break;
    previous = shown;
    fresh += tally.fresh;
    // A file, or a server without paging, returns everything at once.
    if (settings.file !== undefined || tally.count > settings.pageSize) break;
    const isKnown = tally.changed === 0 && tally.unchanged > 0 && offset >= interruptedDepth + fresh;
    if (settings.order === 'newest-first' && firstReadDone && isKnown) break;
    offset += tally.count;
  }
  return { cursor: {}, ...validators, lagMs: medianLag(source, lagsMs), complete: true };
};

/** A file's last line may not be completely written yet; it is no record until another line follows it. */
const isIncomplete = (record: ParsedRecord) => 'rejection' in record && record.rejection.code === 'MALFORMED';

/** Reads from the stored offset to the end, 20 pages at most; the offset is saved after each stored batch. */
const readAppended: ReadBody<MarketplaceItemsSettings> = async (kind, source, deps) => {
  const whole = source.settings.file !== undefined;
  const lagsMs: number[] = [];
  let offset = source.cursor.offset ?? 0;

  /** @returns how many records there are */
  const store = async (page: OpenedPage, skipped: number): Promise<number> => {
    let there = 0;
    const start = offset;
    const rest = async function* () {
      for await (const record of page.records()) {
        there++;
        if (there > skipped) yield record;
      }
    };
    const tally = await storeRecords(source, deps, { ...page, records: rest() }, async ({ count }, last) => {
      offset = start + count - (whole && isIncomplete(last) ? 1 : 0);
      await saveCursor(deps.pool, source, { offset });
    });
    lagsMs.push(...tally.lagsMs);
    return there;
  };

  let atEnd: Validators | null = null;
  for (let pages = 0; pages < MAX_PAGES && !atEnd; pages++) {
    const page = await openPage(kind, source, deps, offset, pages === 0 ? source : null);
    if (page === 'unchanged') return { ...unchangedRead(source), complete: true };
    try {
      const there = await store(page, whole ? offset : 0);
      if (whole && there < offset) {
        // A file that became shorter was replaced.
        offset = 0;
        await store(page, 0);
      }
      // Validators belong to one offset, and only the last offset is requested again.
      if (there === 0 || whole) atEnd = page.validators;
    } finally {
      await page.close();
    }
  }
  return {
    cursor: { offset },
    etag: atEnd?.etag ?? null,
    lastModified: atEnd?.lastModified ?? null,
    lagMs: medianLag(source, lagsMs),
    complete: atEnd !== null,
    isEmpty: offset === 0,
  };
};

/** Reads a whole feed. Listings that it no longer contains are recorded as absent, but only after a complete read. */
const readSnapshot: ReadBody = async (kind, source, deps) => {
  const options = { signal: deps.signal, beforeCommit: (db: Queryable) => requireClaim(db, source) };
  const page = await openBody(kind, source.settings, deps, null, source);
  if (page === 'unchanged') {
    await deps.retireAbsent(deps.pool, source.name, 'unchanged', options);
    return { ...unchangedRead(source), complete: true };
  }
  const present = new Set<string>();
  const records = observing(page.records(), (record) => {
    const id = idOf(record);
    if (id !== null) present.add(id);
  });
  const tally = await storeRecords(source, deps, { ...page, records }, async () => {}).finally(page.close);
  await deps.retireAbsent(deps.pool, source.name, present, options);
  const isEmpty = tally.count === 0;
  return { cursor: {}, ...page.validators, lagMs: medianLag(source, tally.lagsMs), complete: true, isEmpty };
};

/** Reads a source that is one address or file, in the order that its kind and settings name. */
export const readBody: ReadBody = (kind, source, deps) => {
  if (isWholeSource(source.kind, null)) return readSnapshot(kind, source, deps);
  // Of the kinds that are bodies, only this one has pages.
  const items = source as OpenedSource<MarketplaceItemsSettings>;
  return items.settings.order === 'append' ? readAppended(kind, items, deps) : readNewestFirst(kind, items, deps);
};
