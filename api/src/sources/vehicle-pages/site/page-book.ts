import type { Queryable } from '../../../base/database.ts';
import type { RequestDeps } from '../../kinds/source-kind.ts';

/** A page that is to be read, in the order of the list. */
export interface ListedPage {
  url: string;
  /** When it was changed, as the sitemap says. */
  changedAt: Date | null;
}

/** The next page, with what an earlier read knows of it. */
export interface NextPage {
  url: string;
  etag: string | null;
  lastModified: string | null;
  /** Whether it had a car when the read began. */
  hadCars: boolean;
  /** How often it failed in this read. */
  tries: number;
}

/** How a page answered. `ids` are those of all its cars, those that are another page's too. */
export type PageOutcome =
  | { kind: 'read'; ids: readonly string[]; etag: string | null; lastModified: string | null }
  | { kind: 'unchanged' | 'gone' | 'failed' };

/** How far a read has come. */
export interface PageCounts {
  all: number;
  /** Pages that have answered, or need not be asked. */
  read: number;
  /** Those of them that have a car. */
  withCars: number;
  /** Those that had a car when the read began. */
  hadCars: number;
  /** Pages that no longer exist and had a car. */
  gone: number;
  /** Pages that are still there, had a car and have none now. */
  lost: number;
  /** Pages that could not be read. */
  failed: number;
}

/** The pages of a site in one read, and how far it has come. */
export interface PageBook {
  /** Drops what is known of all pages, as the source is another one now. */
  forget(): Promise<void>;
  /** The addresses of the pages that have cars. */
  withCars(): Promise<ReadonlySet<string>>;
  /** Begins a read of these pages. */
  list(pages: readonly ListedPage[]): Promise<void>;
  /** The first page that is not read; null when all are, or were tried three times. */
  next(): Promise<NextPage | null>;
  /** Those of the ids that another page shows better: one with fewer cars, or the first of equal ones. */
  ownedElsewhere(url: string, ids: readonly string[]): Promise<ReadonlySet<string>>;
  record(url: string, outcome: PageOutcome): Promise<void>;
  counts(): Promise<PageCounts>;
  /** The ids of all cars that the pages show, and of those whose page is gone. */
  ids(): Promise<{ present: ReadonlySet<string>; gone: ReadonlySet<string> }>;
}

const MAX_TRIES = 3;
/** After this time a page is read again in full even if it says that it is unchanged. */
const FRESH = "interval '7 days'";
/** A page that has not changed by the sitemap's word is asked once in this time. */
const TRUSTED = "interval '1 day'";

/** Numbers above those of other pages, so that these are tried again after all others. */
const inOrder = 'order by tries, position';

/**
 * The book of a source in the database, from which a read goes on after a crash.
 * @param round the number of the read
 * @param inClaim keeps a reader that has lost the source from changing the list of its successor
 */
export function storedBook(db: Queryable, source: string, round: number, inClaim: RequestDeps['inClaim']): PageBook {
  return {
    forget: () =>
      inClaim(async (claimed) => {
        await claimed.query('delete from source_pages where source = $1', [source]);
      }),
    async withCars() {
      const { rows } = await db.query<{ url: string }>(
        `select url from source_pages where source = $1 and state = 'read' and ids <> '{}'`,
        [source],
      );
      return new Set(rows.map(({ url }) => url));
    },
    list: (pages) =>
      inClaim(async (claimed) => {
        await claimed.query(`delete from source_pages where source = $1 and (state = 'gone' or round < $2)`, [
          source,
          round - 1,
        ]);
        await claimed.query(
          `insert into source_pages as p (source, url, round, position, changed_at)
         select $1, l.url, $2, l.at, l.changed_at
           from unnest($3::text[], $4::timestamptz[]) with ordinality as l (url, changed_at, at)
         on conflict (source, url) do update
           set round = excluded.round, position = excluded.position, changed_at = excluded.changed_at, listed_at = now(), tries = 0,
               had_cars = p.ids <> '{}',
               state = case when p.state = 'read' and p.answered_at > now() - ${TRUSTED}
                             and p.answered_at > excluded.changed_at then 'read' else 'listed' end`,
          [source, round, pages.map(({ url }) => url), pages.map(({ changedAt }) => changedAt)],
        );
      }),
    async next() {
      const { rows } = await db.query<NextPage>(
        `select url, case when read_at > now() - ${FRESH} then etag end as etag,
                case when read_at > now() - ${FRESH} then last_modified end as "lastModified", had_cars as "hadCars", tries
           from source_pages
          where source = $1 and round = $2 and state = 'listed' and tries < ${MAX_TRIES} ${inOrder} limit 1`,
        [source, round],
      );
      return rows[0] ?? null;
    },
    async ownedElsewhere(url, ids) {
      const { rows } = await db.query<{ id: string }>(
        `select distinct i.id from source_pages p cross join unnest(p.ids) as i (id)
          where p.source = $1 and p.round = $2 and p.url <> $3 and p.state <> 'gone' and p.ids && $4::text[]
            and i.id = any($4::text[]) and (cardinality(p.ids), p.url) < ($5::int4, $3)`,
        [source, round, url, ids, ids.length],
      );
      return new Set(rows.map(({ id }) => id));
    },
    async record(url, outcome) {
      if (outcome.kind === 'read') {
        await db.query(
          `update source_pages set state = 'read', ids = $4, etag = $5, last_modified = $6, answered_at = now(), read_at = now()
            where source = $1 and round = $2 and url = $3`,
          [source, round, url, outcome.ids, outcome.etag, outcome.lastModified],
        );
      } else if (outcome.kind === 'failed') {
        await db.query('update source_pages set tries = tries + 1 where source = $1 and round = $2 and url = $3', [
          source,
          round,
          url,
        ]);
      } else {
        await db.query(
          'update source_pages set state = $4, answered_at = now() where source = $1 and round = $2 and url = $3',
          [source, round, url, outcome.kind === 'gone' ? 'gone' : 'read'],
        );
      }
    },
    async counts() {
      const { rows } = await db.query<PageCounts>(
        `select count(*)::int4 as "all", count(*) filter (where state <> 'listed')::int4 as "read",
                count(*) filter (where state = 'read' and ids <> '{}')::int4 as "withCars",
                count(*) filter (where had_cars)::int4 as "hadCars",
                count(*) filter (where state = 'gone' and had_cars)::int4 as "gone",
                count(*) filter (where state = 'read' and had_cars and ids = '{}')::int4 as "lost",
                count(*) filter (where state = 'listed' and tries >= ${MAX_TRIES})::int4 as "failed"
           from source_pages where source = $1 and round = $2`,
        [source, round],
      );
      const [counts] = rows;
      if (!counts) throw new Error('A count has a row.');
      return counts;
    },
    async ids() {
      const { rows } = await db.query<{ id: string | null; isGone: boolean }>(
        `select i.id, bool_and(p.state = 'gone') as "isGone" from source_pages p cross join unnest(p.ids) as i (id)
          where p.source = $1 and p.round = $2 group by i.id`,
        [source, round],
      );
      const idsWhere = (isGone: boolean) =>
        new Set(rows.flatMap((row) => (row.isGone === isGone && row.id !== null ? row.id : [])));
      return { present: idsWhere(false), gone: idsWhere(true) };
    },
  };
}

/** The book of a source that is only tried: it knows nothing of earlier reads and stores nothing. */
export function trialBook(): PageBook {
  let waiting: string[] = [];
  const counts: PageCounts = { all: 0, read: 0, withCars: 0, hadCars: 0, gone: 0, lost: 0, failed: 0 };
  return {
    forget: () => Promise.resolve(),
    withCars: () => Promise.resolve(new Set<string>()),
    list(pages) {
      waiting = pages.map(({ url }) => url);
      counts.all = waiting.length;
      return Promise.resolve();
    },
    next() {
      const url = waiting.shift();
      return Promise.resolve(
        url === undefined ? null : { url, etag: null, lastModified: null, hadCars: false, tries: 0 },
      );
    },
    ownedElsewhere: () => Promise.resolve(new Set<string>()),
    record(_url, outcome) {
      if (outcome.kind === 'failed') counts.failed++;
      else counts.read++;
      if (outcome.kind === 'read' && outcome.ids.length > 0) counts.withCars++;
      return Promise.resolve();
    },
    counts: () => Promise.resolve({ ...counts }),
    ids: () => Promise.resolve({ present: new Set<string>(), gone: new Set<string>() }),
  };
}
