import type { Queryable } from '../base/database.ts';
import { ELITE_PLAN_ID } from '../domain/plan-list.ts';
import type { KeyEnd } from './find-key.ts';

/** How many requests an account may make with its keys, in an hour and concurrently. */
export interface Quota {
  perHour: number;
  atOnce: number;
}

export interface Taken {
  /** By the key's id; a deleted key is missing. */
  ends: ReadonlyMap<number, KeyEnd>;
  /** One for each admitted request, to be released when it is answered. */
  leases: readonly number[];
  /** Requests of this hour, including these. */
  used: number;
  secondsLeft: number;
}

/** A request whose process died, so that it is neither released nor renewed, counts no longer than this. */
const LEASE_MICROSECONDS = 25_000_000;

/**
 * Checks the keys and counts their requests in one statement. `running` holds the latest end of each concurrent request
 * in microseconds of the epoch, which is also its lease's id. The row's lock orders all processes. The commit does not
 * wait for the disk, so that a crash of the server may lose the requests of its last fraction of a second.
 */
const statement = `
with asked as (
  select k.id, case when k.revoked_at is not null or k.expires_at <= now() then 'ended'
                    when u.plan_id <> $6 then 'plan' end as "end"
    from api_keys k join users u on u.id = k.user_id
   where k.user_id = $1 and k.id = any ($2::int8[])),
wanted as (
  select count(*)::int4 as n from unnest($2::int8[]) w(id) join asked using (id) where asked."end" is null),
taken as (
  update api_allowances a set (window_ends_at, used, running, granted) = (
    select case when s.over then now() + interval '1 hour' else a.window_ends_at end,
           s.before + s.granted,
           s.live || array(select s.first + i from generate_series(1, s.granted) i),
           s.granted
      from (
        select o.*, greatest(o.clock + ${LEASE_MICROSECONDS}, (select max(e) from unnest(o.live) e)) as first,
               greatest(0, least(wanted.n, $3 - o.before, $4 - cardinality(o.live))) as granted
          from (
            select a.window_ends_at <= now() as over,
                   case when a.window_ends_at <= now() then 0 else a.used end as before,
                   c.clock,
                   array(select e from unnest(a.running) e where e > c.clock and e <> all ($5::int8[])) as live
              from (select (extract(epoch from clock_timestamp()) * 1000000)::int8 as clock) c
          ) o
      ) s)
    from wanted
   where a.user_id = $1 and wanted.n > 0
  returning a.used, a.granted, a.running[cardinality(a.running) - a.granted + 1:] as leases, a.window_ends_at)
select asked.id, asked."end", coalesce(taken.used, case when a.window_ends_at > now() then a.used else 0 end) as used,
       case when taken.granted > 0 then taken.leases end as leases,
       greatest(0, extract(epoch from coalesce(taken.window_ends_at, a.window_ends_at) - now()))::float8 as "secondsLeft",
       set_config('synchronous_commit', 'off', true)
  from asked left join taken on true left join api_allowances a on a.user_id = $1`;

interface Row {
  id: number;
  end: KeyEnd;
  used: number;
  leases: number[] | null;
  secondsLeft: number;
}

/**
 * Counts requests against an account's quota.
 * @param keyIds the key of each waiting request, all of one account
 * @param finished leases of answered requests
 */
export async function takeRequests(
  db: Queryable,
  userId: number,
  keyIds: readonly number[],
  { perHour, atOnce }: Quota,
  finished: readonly number[],
): Promise<Taken> {
  const { rows } = await db.query<Row>({
    name: 'take-api-requests',
    text: statement,
    values: [userId, keyIds, perHour, atOnce, finished, ELITE_PLAN_ID],
  });
  const [first] = rows;
  return {
    ends: new Map(rows.map(({ id, end }) => [id, end])),
    leases: first?.leases ?? [],
    used: first?.used ?? 0,
    secondsLeft: first?.secondsLeft ?? 0,
  };
}

/** Renews the leases of requests that are still being answered. @returns their new leases, in the same order */
export async function renewRequests(db: Queryable, userId: number, leases: readonly number[]): Promise<number[]> {
  const { rows } = await db.query<{ leases: number[] }>({
    name: 'renew-api-requests',
    text: `update api_allowances a
              set running = array(select e from unnest(a.running) e where e <> all ($2::int8[]))
                || array(select greatest((extract(epoch from clock_timestamp()) * 1000000)::int8 + ${LEASE_MICROSECONDS},
                                         (select max(e) from unnest(a.running) e)) + i
                           from generate_series(1, cardinality($2::int8[])) i)
            where user_id = $1
        returning a.running[cardinality(a.running) - cardinality($2::int8[]) + 1:] as leases`,
    values: [userId, leases],
  });
  return rows[0]?.leases ?? [];
}

/** Releases the leases of answered requests. */
export async function releaseRequests(db: Queryable, userId: number, finished: readonly number[]): Promise<void> {
  await db.query({
    name: 'release-api-requests',
    text: `update api_allowances a set running = array(select e from unnest(a.running) e where e <> all ($2::int8[]))
            where user_id = $1`,
    values: [userId, finished],
  });
}
