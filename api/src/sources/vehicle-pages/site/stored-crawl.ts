import type { Queryable } from '../../../base/database.ts';
import type { RequestDeps } from '../../kinds/source-kind.ts';
import type { CrawlState, ListedPage, NextPage, PageCounts, PageOutcome } from './crawl-state.ts';

const MAX_TRIES = 3;
/** After this time a page is read again in full even if it says that it is unchanged. */
const FRESH = "interval '7 days'";
/** A page that has not changed by the sitemap's word is asked once in this time. */
const TRUSTED = "interval '1 day'";

/**
 * A page that is still there, had a car and has none now. It keeps the ids of its cars, as the read may end with a fault, and
 * is asked for in full when it is read again. An earlier version did not keep the ids.
 */
const isLost = "(state = 'read' and had_cars and (read_at is null or ids = '{}'))";

/** Numbers above those of other pages, so that these are tried again after all others. */
const inOrder = 'order by tries, position';

/** The crawl of a source in the database, from which a read goes on after a crash. */
export class StoredCrawl implements CrawlState {
  private readonly db: Queryable;
  private readonly source: string;
  private readonly round: number;
  private readonly inClaim: RequestDeps['inClaim'];

  /**
   * @param round the number of the read
   * @param inClaim keeps a reader that has lost the source from changing the list of its successor
   */
  constructor(db: Queryable, source: string, round: number, inClaim: RequestDeps['inClaim']) {
    this.db = db;
    this.source = source;
    this.round = round;
    this.inClaim = inClaim;
  }

  forget(): Promise<void> {
    return this.inClaim(async (claimed) => {
      await claimed.query('delete from source_pages where source = $1', [this.source]);
    });
  }

  async withCars(): Promise<ReadonlySet<string>> {
    const { rows } = await this.db.query<{ url: string }>(
      `select url from source_pages
        where source = $1 and (state = 'read' and ids <> '{}' and not ${isLost} or round = $2 and had_cars)`,
      [this.source, this.round],
    );
    return new Set(rows.map(({ url }) => url));
  }

  list(pages: readonly ListedPage[]): Promise<void> {
    return this.inClaim(async (claimed) => {
      await this.dropOld(claimed);
      await this.dropLost(claimed);
      await this.insertPages(claimed, pages);
    });
  }

  /** Drops pages that are gone, and those that two reads did not list. */
  private async dropOld(claimed: Queryable): Promise<void> {
    await claimed.query(`delete from source_pages where source = $1 and (state = 'gone' or round < $2)`, [
      this.source,
      this.round - 1,
    ]);
  }

  /** Drops what pages showed that were lost in a read that did not end with a fault. */
  private async dropLost(claimed: Queryable): Promise<void> {
    await claimed.query(`update source_pages set ids = '{}' where source = $1 and round < $2 and ${isLost}`, [
      this.source,
      this.round,
    ]);
  }

  /** Lists pages. In a round that begins again, as it ended with a fault, what had cars before it still counts. */
  private async insertPages(claimed: Queryable, pages: readonly ListedPage[]): Promise<void> {
    await claimed.query(
      `insert into source_pages as p (source, url, round, position, changed_at)
       select $1, l.url, $2, l.at, l.changed_at
         from unnest($3::text[], $4::timestamptz[]) with ordinality as l (url, changed_at, at)
       on conflict (source, url) do update
         set round = excluded.round, position = excluded.position, changed_at = excluded.changed_at, listed_at = now(),
             tries = 0, had_cars = p.ids <> '{}' or (p.had_cars and p.round = excluded.round),
             state = case when p.round < excluded.round and p.state = 'read' and p.answered_at > now() - ${TRUSTED}
                           and p.answered_at > excluded.changed_at then 'read' else 'listed' end`,
      [this.source, this.round, pages.map(({ url }) => url), pages.map(({ changedAt }) => changedAt)],
    );
    await claimed.query(
      'update source_pages set round = $2 - 1 where source = $1 and round = $2 and listed_at < now()',
      [this.source, this.round],
    );
  }

  async next(): Promise<NextPage | null> {
    const { rows } = await this.db.query<NextPage>(
      `select url, case when read_at > now() - ${FRESH} then etag end as etag,
              case when read_at > now() - ${FRESH} then last_modified end as "lastModified", had_cars as "hadCars", tries
         from source_pages
        where source = $1 and round = $2 and state = 'listed' and tries < ${MAX_TRIES} ${inOrder} limit 1`,
      [this.source, this.round],
    );
    return rows[0] ?? null;
  }

  async ownedElsewhere(url: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const { rows } = await this.db.query<{ id: string }>(
      `select distinct i.id from source_pages p cross join unnest(p.ids) as i (id)
        where p.source = $1 and p.round = $2 and p.url <> $3 and p.state <> 'gone' and not ${isLost} and p.ids && $4::text[]
          and i.id = any($4::text[]) and (cardinality(p.ids), p.url) < ($5::int4, $3)`,
      [this.source, this.round, url, ids, ids.length],
    );
    return new Set(rows.map(({ id }) => id));
  }

  record(url: string, outcome: PageOutcome): Promise<void> {
    if (outcome.kind === 'read') return this.recordRead(url, outcome);
    if (outcome.kind === 'failed') return this.recordFailure(url);
    return this.recordState(url, outcome.kind === 'gone' ? 'gone' : 'read');
  }

  private async recordRead(
    url: string,
    { ids, etag, lastModified }: Extract<PageOutcome, { kind: 'read' }>,
  ): Promise<void> {
    const loses = "(had_cars and $4::text[] = '{}')";
    await this.db.query(
      `update source_pages set state = 'read', answered_at = now(), ids = case when ${loses} then ids else $4 end,
              etag = case when not ${loses} then $5 end, last_modified = case when not ${loses} then $6 end,
              read_at = case when not ${loses} then now() end
        where source = $1 and round = $2 and url = $3`,
      [this.source, this.round, url, ids, etag, lastModified],
    );
  }

  private async recordFailure(url: string): Promise<void> {
    await this.db.query('update source_pages set tries = tries + 1 where source = $1 and round = $2 and url = $3', [
      this.source,
      this.round,
      url,
    ]);
  }

  private async recordState(url: string, state: 'gone' | 'read'): Promise<void> {
    await this.db.query(
      'update source_pages set state = $4, answered_at = now() where source = $1 and round = $2 and url = $3',
      [this.source, this.round, url, state],
    );
  }

  async counts(): Promise<PageCounts> {
    const { rows } = await this.db.query<PageCounts>(
      `select count(*)::int4 as "all", count(*) filter (where state <> 'listed')::int4 as "read",
              count(*) filter (where state = 'read' and ids <> '{}' and not ${isLost})::int4 as "withCars",
              count(*) filter (where had_cars)::int4 as "hadCars",
              count(*) filter (where state = 'gone' and had_cars)::int4 as "gone",
              count(*) filter (where ${isLost})::int4 as "lost",
              count(*) filter (where state = 'listed' and tries >= ${MAX_TRIES})::int4 as "failed"
         from source_pages where source = $1 and round = $2`,
      [this.source, this.round],
    );
    const [counts] = rows;
    if (!counts) throw new Error('A count has a row.');
    return counts;
  }

  async ids(): Promise<{ present: ReadonlySet<string>; gone: ReadonlySet<string> }> {
    const { rows } = await this.db.query<{ id: string | null; isGone: boolean }>(
      `select i.id, bool_and(p.state = 'gone') as "isGone" from source_pages p cross join unnest(p.ids) as i (id)
        where p.source = $1 and p.round = $2 and not ${isLost} group by i.id`,
      [this.source, this.round],
    );
    const idsWhere = (isGone: boolean) =>
      new Set(rows.flatMap((row) => (row.isGone === isGone && row.id !== null ? row.id : [])));
    return { present: idsWhere(false), gone: idsWhere(true) };
  }
}
