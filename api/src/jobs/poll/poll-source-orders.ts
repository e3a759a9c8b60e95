import type { Queryable } from '../../base/database.ts';
import type { ParsedRecord } from '../../domain/facts/listing-facts.ts';
import { requireClaim } from '../../sources/claim-source.ts';
import type { Validators } from '../../sources/fetch-source.ts';
import { saveCursor } from '../../sources/record-poll.ts';
import {
  medianLag,
  type OpenedPage,
  openPage,
  type ReadSource,
  storeRecords,
  unchangedRead,
} from './poll-source-read.ts';

const MAX_PAGES = 20;

async function* noting(records: AsyncIterable<ParsedRecord>, note: (record: ParsedRecord) => void) {
  for await (const record of records) {
    note(record);
    yield record;
  }
}

const idOf = (record: ParsedRecord): string | null =>
  'facts' in record ? record.facts.externalId : record.rejection.externalId;

/**
 * From the top until a whole page is known, 20 pages at most. A first read goes on to the end, and after a read that
 * broke off a known page counts only below what that one had reached: what it stored hides the gap beneath.
 */
export const readNewestFirst: ReadSource = async (source, deps) => {
  const { settings, firstReadDone } = source;
  const reach = source.cursor.reach ?? 0;
  const lagsMs: number[] = [];
  let validators: Validators = { etag: null, lastModified: null };
  let previous = '';
  let offset = 0;
  let fresh = 0;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const page = await openPage(source, deps, offset, pages === 0 && firstReadDone && reach === 0 ? source : null);
    if (page === 'unchanged') return unchangedRead(source);
    if (pages === 0) validators = page.validators;
    const ids: (string | null)[] = [];
    const records = noting(page.records(), (record) => {
      if (ids.length <= settings.pageSize) ids.push(idOf(record));
    });
    const reached = Math.max(reach + fresh, offset) + settings.pageSize;
    // Noted before it is stored: a worker that dies between the two would hide the gap beneath.
    const tally = await saveCursor(deps.pool, source, { reach: reached })
      .then(() => storeRecords(source, deps, { ...page, records }, async () => {}))
      .finally(page.close);
    lagsMs.push(...tally.lagsMs);
    const shown = JSON.stringify(ids);
    if (tally.count === 0 || shown === previous) break;
    previous = shown;
    fresh += tally.fresh;
    // A server that does not page, or a file, has shown all there is.
    if (settings.file !== undefined || tally.count > settings.pageSize) break;
    const known = tally.changed === 0 && tally.unchanged > 0;
    if (known && firstReadDone && offset >= reach + fresh) break;
    offset += tally.count;
  }
  return { cursor: {}, ...validators, lagMs: medianLag(source, lagsMs), complete: true };
};

/** A file's last line may be half written yet: it is no record until more follows it. */
const isHalf = (record: ParsedRecord) => 'rejection' in record && record.rejection.code === 'MALFORMED';

/** From the stored offset to the end, 20 pages at most; the offset moves on after each stored batch. */
export const readAppended: ReadSource = async (source, deps) => {
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
      offset = start + count - (whole && isHalf(last) ? 1 : 0);
      await saveCursor(deps.pool, source, { offset });
    });
    lagsMs.push(...tally.lagsMs);
    return there;
  };

  let atEnd: Validators | null = null;
  for (let pages = 0; pages < MAX_PAGES && !atEnd; pages++) {
    const page = await openPage(source, deps, offset, pages === 0 ? source : null);
    if (page === 'unchanged') return { ...unchangedRead(source), complete: true };
    try {
      const there = await store(page, whole ? offset : 0);
      if (whole && there < offset) {
        // A file that became shorter was begun anew.
        offset = 0;
        await store(page, 0);
      }
      // Validators belong to one offset: only those of the end are asked for again.
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
  };
};

/** The whole of a feed: what it does not show any more is taken note of, but only after a whole read. */
export const readSnapshot: ReadSource = async (source, deps) => {
  const options = { signal: deps.signal, beforeCommit: (db: Queryable) => requireClaim(db, source) };
  const page = await openPage(source, deps, null, source);
  if (page === 'unchanged') {
    await deps.retireAbsent(deps.pool, source.name, 'unchanged', options);
    return { ...unchangedRead(source), complete: true };
  }
  const present = new Set<string>();
  const records = noting(page.records(), (record) => {
    const id = idOf(record);
    if (id !== null) present.add(id);
  });
  const { lagsMs } = await storeRecords(source, deps, { ...page, records }, async () => {}).finally(page.close);
  await deps.retireAbsent(deps.pool, source.name, present, options);
  return { cursor: {}, ...page.validators, lagMs: medianLag(source, lagsMs), complete: true };
};
