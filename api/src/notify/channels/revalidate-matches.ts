import { tryShareCar } from '../../base/advisory-lock.ts';
import { type Client, limitIdleTime, pipeline, SHORT_IDLE_MS } from '../../base/database.ts';
import { type AlertCriteria, fits, type ListingCriteria, verdictsFor } from '../../domain/criteria/criteria.ts';
import { followedBy, isOfferedElsewhere } from '../../entities/car-followers.ts';
import { factColumns } from '../../entities/criteria-columns.ts';
import type { ChannelName } from '../../entities/delivery-channels.ts';
import { announcesCar, DISMISSED } from '../../entities/notification-rules.ts';
import { keysOf, type OwnedRow } from '../../entities/owned-rows.ts';
import { waitsForSearch } from '../../placement/listing-marks.ts';
import { wasTried } from './hold-messages.ts';

interface WaitingPair {
  id: number;
  userId: number;
  alertId: number;
  /** The mail or push message in which it leaves. */
  messageId: string | null;
  kind: string;
  heldBy: string | null;
  createdAt: Date;
  status: string;
  matchVersion: number | null;
  /** Of price drops and sales: whether the buyer 'saved' the car or 'viewed' it lately. */
  followed: string | null;
  /** Of sales: whether the car can be bought under another listing. */
  isOfferedElsewhere: boolean | null;
}

/** A pair with the facts of its listing, which are null where that was purged. */
type PairRow = WaitingPair & (ListingCriteria | { [Fact in keyof ListingCriteria]: null });

/** A notification and its pair. */
export type Pair = Pick<
  WaitingPair,
  'id' | 'userId' | 'alertId' | 'messageId' | 'kind' | 'heldBy' | 'createdAt' | 'followed'
>;

export interface Pairs {
  valid: Pair[];
  /** Pairs that no longer fit, or whose car is no longer for sale. */
  failing: Pair[];
}

/** Locked alerts by id. */
type Alerts = ReadonlyMap<number, { userId: number; version: number; criteria: AlertCriteria; wantsDrops: boolean }>;

/** Most cars of one message. */
export const PAIRS_A_MESSAGE = 20_000;
/** Most pairs that are read of each alert where many alerts are claimed at once. */
export const PAIRS_A_READ = 500;
/** Most notifications whose cars are locked at once on a server, whose transactions share the memory for locks. */
const LOCKED_AT_ONCE = 1_000;
/** How long pairs are deferred that matching is about to evaluate again. */
export const REMATCHED_MS = 500;

/** "offset 0" makes each step a look-up by index, whatever sizes the planner assumes. */
const facts = `
  select n.id, n.user_id as "userId", n.alert_id as "alertId", coalesce(n.mail_id, n.push_id) as "messageId", n.kind, n.held_by as "heldBy",
         n.created_at as "createdAt",
         coalesce(l.status, 'gone') as status, m.alert_version as "matchVersion",
         case when n.kind <> 'match' then ${followedBy('n.user_id', 'n.listing_id')} end as followed,
         case when n.kind = 'sold' then ${isOfferedElsewhere('l')} end as "isOfferedElsewhere",
         ${factColumns('l')}`;
const joined = `
  left join lateral (select * from listings l where l.id = n.listing_id offset 0) l on true
  left join lateral (
    select m.alert_version from matches m where m.listing_id = n.listing_id and m.alert_id = n.alert_id and m.user_id = n.user_id offset 0) m on true`;

/** SQL: whether a device of the buyer's has accepted the push message of a notification. */
const isAccepted = (notification: string): string =>
  `${notification}.push_id is not null and exists (
     select from pushes p where p.id = ${notification}.push_id and p.user_id = ${notification}.user_id and p.sent_at is not null)`;

type LockedAlert = Alerts extends ReadonlyMap<number, infer T> ? T : never;

/** Whether a notification may leave by what is known of its car now. */
function mayLeave(row: PairRow, { version, criteria, wantsDrops }: LockedAlert): boolean {
  if (row.make === null) return false;
  if (row.kind === 'sold') {
    const isWanted = row.followed === 'saved' || (row.followed === 'viewed' && wantsDrops);
    const hasEnded = (row.status === 'sold' || row.status === 'gone') && row.isOfferedElsewhere === false;
    return isWanted && hasEnded && row.matchVersion !== DISMISSED;
  }
  if (row.status !== 'for_sale' || (row.kind === 'price_drop' && !wantsDrops)) return false;
  if (row.kind === 'price_drop' && row.followed !== null) return row.matchVersion !== DISMISSED;
  return row.matchVersion === version && fits(verdictsFor(criteria, row));
}

function judge(rows: readonly PairRow[], alerts: Alerts): Pairs {
  const pairs: Pairs = { valid: [], failing: [] };
  for (const row of rows) {
    const alert = alerts.get(row.alertId);
    if (!alert) continue;
    if (mayLeave(row, alert)) pairs.valid.push(row);
    else pairs.failing.push(row);
  }
  return pairs;
}

/**
 * Evaluates the waiting pairs of these alerts by the current facts and criteria, the oldest of each alert first.
 * @param limit how many of each alert
 */
export async function readWaitingPairs(
  client: Client,
  alerts: Alerts,
  channel: ChannelName,
  limit = PAIRS_A_READ,
): Promise<Pairs> {
  const { rows } = await client.query<PairRow>({
    name: 'notify-waiting-pairs',
    text: `${facts}
       from unnest($1::int8[], $4::int8[]) asked (alert_id, user_id)
      cross join lateral (
        select * from (select * from notifications w where w.alert_id = asked.alert_id and w.user_id = asked.user_id offset 0) w
         where w.status = 'waiting' and w.channel = $2
         order by w.id limit $3) n
      ${joined}`,
    values: [[...alerts.keys()], channel, limit, [...alerts.values()].map(({ userId }) => userId)],
  });
  return judge(rows, alerts);
}

/** Evaluates the pairs of claimed messages. */
export async function readMessagePairs(
  client: Client,
  alerts: Alerts,
  column: 'mail_id' | 'push_id',
  messages: readonly OwnedRow<string>[],
): Promise<Pairs> {
  const { rows } = await client.query<PairRow>({
    name: `notify-pairs-by-${column}`,
    text: `${facts} from notifications n ${joined}
            where n.${column} = any($1::uuid[]) and n.user_id = any($2::int8[]) and n.status = 'sending'`,
    values: keysOf(messages),
  });
  return judge(rows, alerts);
}

/** SQL: whether a listing of the car of the listing `l` waits to be matched. */
const carWaits = `
  exists (select from (select l.id union all select id from listings where car_id = l.car_id offset 0) o
           where ${waitsForSearch('o.id')})`;

/**
 * Finds the notifications whose pairs can't begin to fit before the transaction ends, as their listings are locked by it, their
 * cars too, and no listing of these cars waits to be matched. A search for one that is listed meanwhile sees what becomes of
 * the notification. It never waits for a lock, and so can't be part of a deadlock.
 */
async function lockUnchanging(client: Client, pairs: readonly Pair[]): Promise<Set<number>> {
  const [ids, users] = keysOf(pairs);
  const [, locked] = await pipeline(client, () => [
    // Searches wait for the lock of a car.
    client.query(limitIdleTime(SHORT_IDLE_MS)),
    client.query<{ id: number }>({
      name: 'notify-lock-listings',
      // The car of one that is about to be searched for is not locked, as the search would have to wait.
      text: `select n.id
               from (select id, listing_id from notifications
                      where id = any($1::int8[]) and user_id = any($2::int8[]) order by id offset 0) n
              cross join lateral (
                select l.id from listings l
                 where l.id = n.listing_id and case when not ${carWaits} then l.car_id is null or ${tryShareCar('l.car_id')} end
                for share skip locked) l
              limit ${LOCKED_AT_ONCE}`,
      values: [ids, users],
    }),
  ]);
  // A separate statement, which sees the listings that were linked to the car, or marked, before it was locked.
  const { rows } = await client.query<{ id: number }>({
    name: 'notify-unchanging',
    text: `select n.id from notifications n left join listings l on l.id = n.listing_id
            where n.id = any($1::int8[]) and n.user_id = any($3::int8[]) and (l.id is null or n.id = any($2::int8[]))
              and not ${carWaits}`,
    values: [ids, locked.rows.map(({ id }) => id), users],
  });
  return new Set(rows.map(({ id }) => id));
}

/**
 * SQL: whether the pair of a notification that fails was not announced: no call was made for its message, and the pair has no
 * other notification. Those that fail with it ($1: their ids) and those that were dropped do not count.
 * @param failed a row with the columns of the notification
 */
const isUnannounced = (failed: string): string => `
  not exists (select from mails o where o.id = ${failed}.mail_id and o.user_id = ${failed}.user_id and ${wasTried('o')})
  and not exists (select from pushes o where o.id = ${failed}.push_id and o.user_id = ${failed}.user_id and ${wasTried('o')})
  and not exists (
    select from notifications o
     where o.alert_id = ${failed}.alert_id and o.user_id = ${failed}.user_id and o.listing_id = ${failed}.listing_id
       and o.status <> 'dropped' and o.id <> all($1::int8[]))`;

/**
 * A car that is listed again gets no notification under its new id, as it was to be announced under the old one. Where the
 * old listing is sold or no longer fits, this reassigns its notification to the later listing that the alert shows, one a
 * car. The alerts must be locked. Returns the ids of the reassigned notifications.
 * @param failing waiting notifications that are about to be dropped
 */
async function reassign(client: Client, failing: readonly Pair[]): Promise<Set<number>> {
  if (failing.length === 0) return new Set();
  const { rows } = await client.query<{ id: number }>({
    name: 'notify-reassign',
    text: `with others as materialized (
         select distinct on (n.alert_id, l.car_id)
                n.id, n.alert_id, n.user_id, n.listing_id, n.mail_id, n.push_id, o.id as other_id, o.price
           from notifications n
           join listings l on l.id = n.listing_id
           join listings o on o.car_id = l.car_id and o.id <> l.id and o.status = 'for_sale'
           join alerts a on a.id = n.alert_id and a.user_id = n.user_id
           join matches m on m.listing_id = o.id and m.alert_id = n.alert_id and m.user_id = n.user_id and m.alert_version = a.version
          where n.id = any($1::int8[]) and n.user_id = any($2::int8[]) and n.kind = 'match' and not (${isAccepted('n')})
            and (not m.announced or exists (
              select from notifications s
               where s.alert_id = n.alert_id and s.user_id = n.user_id and s.listing_id = o.id and s.channel <> n.channel))
            and not exists (
              select from listings c join notifications e on e.listing_id = c.id and e.alert_id = n.alert_id and e.user_id = n.user_id
               where c.car_id = l.car_id and e.channel = n.channel and e.id <> all($1::int8[])
                 and ${announcesCar('e')})
          order by n.alert_id, l.car_id, o.price nulls last, o.id
       ), announced as (
         update matches m set announced = true from others o
          where m.listing_id = o.other_id and m.alert_id = o.alert_id and m.user_id = o.user_id
       ), before as (
         update matches m set announced = false from others f
          where m.listing_id = f.listing_id and m.alert_id = f.alert_id and m.user_id = f.user_id and ${isUnannounced('f')}
       )
       update notifications n set listing_id = o.other_id, price = o.price from others o
        where n.id = o.id and n.user_id = o.user_id
       returning n.id`,
    values: keysOf(failing),
  });
  return new Set(rows.map(({ id }) => id));
}

/**
 * Drops notifications. Their matches count as not announced, so that they are announced if they fit again, unless another
 * notification or a message that was attempted may have announced them. One that a device has got was sent, though its other
 * devices get it no more.
 */
async function drop(client: Client, pairs: readonly Pair[]): Promise<void> {
  if (pairs.length === 0) return;
  await client.query({
    name: 'notify-drop',
    text: `with dropped as (
         update notifications n set status = case when ${isAccepted('n')} then 'sent' else 'dropped' end, settled_at = now()
          where n.id = any($1::int8[]) and n.user_id = any($2::int8[])
         returning n.user_id, n.alert_id, n.listing_id, n.mail_id, n.push_id, n.status
       )
       update matches m set announced = false from dropped d
        where m.listing_id = d.listing_id and m.alert_id = d.alert_id and m.user_id = d.user_id and d.status = 'dropped'
          and ${isUnannounced('d')}`,
    values: keysOf(pairs),
  });
}

async function defer(client: Client, pairs: readonly Pair[]): Promise<void> {
  if (pairs.length === 0) return;
  await client.query({
    name: 'notify-defer-pairs',
    text: `update notifications set due_at = now() + interval '${REMATCHED_MS} ms'
            where id = any($1::int8[]) and user_id = any($2::int8[]) and status = 'waiting'`,
    values: keysOf(pairs),
  });
}

/**
 * Returns the pairs of `read` that may be announced now (`valid`). A notification that no longer fits is dropped, or
 * reassigned to another listing of its car. Pairs that matching is about to evaluate again wait for that (`waiting`), as a
 * car that just begins to fit would never be announced otherwise. The alerts must be locked.
 */
export async function revalidatePairs(
  client: Client,
  read: () => Promise<Pairs>,
): Promise<{ valid: Pair[]; waiting: Pair[] }> {
  const first = await read();
  if (first.failing.length === 0) return { valid: first.valid, waiting: [] };
  const unchanging = await lockUnchanging(client, first.failing);
  const { valid, failing } = await read();
  const over = failing.filter(({ id }) => unchanging.has(id));
  const waiting = failing.filter(({ id }) => !unchanging.has(id));
  const reassigned = await reassign(client, over);
  await drop(
    client,
    over.filter(({ id }) => !reassigned.has(id)),
  );
  await defer(client, waiting);
  if (reassigned.size === 0) return { valid, waiting };
  const last = await read();
  return { valid: last.valid, waiting: last.failing };
}
