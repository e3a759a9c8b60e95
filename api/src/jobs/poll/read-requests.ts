import { beginWithShortIdle, inTransaction, type Queryable } from '../../base/database.ts';
import { requireClaim } from '../../sources/claim-source.ts';
import { type KindSettings, type RecordPage, type RequestKind, requestDeps } from '../../sources/kinds/source-kind.ts';
import { type PollPause, type PollSuccess, saveCursor } from '../../sources/record-poll.ts';
import { asSourceFault } from '../../sources/source-page.ts';
import { medianLag, type OpenedSource, type ReadDeps, storeRecords, type Tally } from './store-records.ts';

/** What can't be read is the source's fault, and is recorded as one. */
const read = <T>(step: Promise<T>): Promise<T> =>
  step.catch((error: unknown) => {
    throw asSourceFault(error);
  });

/** Reads a source that makes requests of its own, and stores page after page. */
export async function readRequests(
  kind: RequestKind,
  source: OpenedSource<KindSettings>,
  deps: ReadDeps,
): Promise<PollSuccess | PollPause> {
  const lagsMs: number[] = [];
  const claimed = {
    saveCursor: (cursor: object) => saveCursor(deps.pool, source, cursor),
    inClaim: (work: (db: Queryable) => Promise<void>) =>
      inTransaction(
        deps.pool,
        async (db) => {
          await requireClaim(db, source);
          await work(db);
        },
        beginWithShortIdle,
      ),
  };
  const pages = kind.read(source, requestDeps(source.settings, deps, claimed));
  const store = async (page: RecordPage): Promise<Tally> => {
    deps.signal?.throwIfAborted();
    return storeRecords(source, deps, { ...page, records: page.records() }, async () => {}).finally(page.close);
  };
  try {
    let step = await read(pages.next());
    while (!step.done) {
      const tally = await store(step.value);
      lagsMs.push(...tally.lagsMs);
      step = await read(pages.next(tally));
    }
    const { cursor, complete, isEmpty = false, present, gone, remark = null } = step.value;
    const { againInSeconds, waitsForQuota = false } = step.value;
    if (againInSeconds !== undefined) return { cursor, remark, againInSeconds, waitsForQuota };
    if (present) {
      // First, so that a read that is killed here does not count a missed car again, but is made again.
      await saveCursor(deps.pool, source, cursor);
      const beforeCommit = (db: Queryable) => requireClaim(db, source);
      await deps.retireAbsent(deps.pool, source.name, present, { signal: deps.signal, beforeCommit, gone });
    }
    return { cursor, etag: null, lastModified: null, lagMs: medianLag(source, lagsMs), complete, isEmpty, remark };
  } finally {
    // A generator that was left at a page closes what it has open.
    await pages.return({ cursor: source.cursor, complete: false });
  }
}
