import { type Batch, type BatchResult, walkPages } from '../../base/batches.ts';
import type { Queryable } from '../../base/database.ts';
import { isThrottled } from '../../entities/notification-rules.ts';
import { placeOf } from '../../placement/table-places.ts';

/** For how many days rows are kept at least, by settings: matches, and what was sent or was to be. */
export interface KeptDays {
  matches: number;
  messages: number;
}

/** Rows of one table that are deleted when a condition holds. All texts are SQL of ours, with no input in them. */
interface Retention {
  /** The name of the step, under which its position is stored. */
  name: string;
  table: string;
  /** The condition under which a row is deleted. */
  where: string;
  /** The column of an index that finds such rows. Without it the table is read page by page. */
  orderBy?: string;
  /** The key by which rows are deleted of a table of which every server of a cluster has a copy. */
  key?: string;
  /** Rows are kept for the days of this setting, after which the condition is asked. */
  keptAs?: keyof KeptDays;
  everyMs?: number;
  /** About how many rows a batch takes. */
  rows?: number;
}

const FIVE_MINUTES = 300_000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** What is deleted when. Rows of other tables that reference a deleted row go with it. */
export const retention: readonly Retention[] = [
  {
    name: 'old-quarantine',
    table: 'quarantine',
    where: "last_seen_at < now() - interval '30 days'",
    orderBy: 'last_seen_at',
    everyMs: FIVE_MINUTES,
  },
  // The admin's page shows the counts of one day.
  { name: 'source-hours', table: 'source_hours', where: "hour < now() - interval '3 days'" },
  { name: 'source-lags', table: 'source_lags', where: "hour < now() - interval '3 days'" },
  // Details of an item that is still offered are kept until newer ones are read.
  {
    name: 'source-details',
    table: 'source_details',
    where: `read_at < now() - interval '90 days'
      and not exists (select from listings l where l.source = source_details.source
                        and l.external_id = source_details.external_id and l.status in ('for_sale', 'pending'))`,
  },
  { name: 'source-accounts', table: 'source_accounts', where: "counted_at < now() - interval '30 days'" },
  // Pages of sources that are no longer read.
  { name: 'source-pages', table: 'source_pages', where: "listed_at < now() - interval '90 days'", everyMs: DAY },
  // A site that was not asked for a day may be asked at once.
  { name: 'site-hosts', table: 'site_hosts', where: "next_at < now() - interval '1 day'", everyMs: DAY },
  // The public status shows 30 days.
  { name: 'delivery-delays', table: 'delivery_delays', where: "hour < now() - interval '31 days'" },
  // What was sent that a restored database forgot; nothing that old is due again.
  { name: 'lost-messages', table: 'lost_messages', where: "sent_at < now() - interval '40 days'", everyMs: DAY },
  // A throttle that no longer defers a mail.
  {
    name: 'alert-throttles',
    table: 'alert_throttles',
    where: `not (${isThrottled('last_mailed_at')})`,
  },
  // Marks of listings that were deleted by hand, which no search claims.
  {
    name: 'listings-to-match',
    table: 'listings_to_match',
    key: 'listing_id',
    where: "marked_at < now() - interval '10 minutes' and not exists (select from listings l where l.id = listing_id)",
    everyMs: HOUR,
  },
  // Counts of tries and requests name network addresses; they are deleted a minute after their window.
  {
    name: 'rate-limits',
    table: 'rate_limits',
    where: 'expire < extract(epoch from now()) * 1000 - 60000',
    orderBy: 'expire',
  },
  {
    name: 'idempotency-keys',
    table: 'idempotency_keys',
    where: "created_at < now() - interval '24 hours'",
    orderBy: 'created_at',
  },
  {
    name: 'api-keys',
    table: 'api_keys',
    where: "least(revoked_at, expires_at) < now() - interval '30 days'",
  },
  // They could be saved again until then.
  {
    name: 'removed-bookmarks',
    table: 'saved_listings',
    where: "removed_at < now() - interval '1 day'",
    orderBy: 'removed_at',
  },
  { name: 'shared-links', table: 'shared_links', where: 'expires_at < now()', orderBy: 'expires_at' },
  // The chart shows 7 days.
  { name: 'api-usage', table: 'api_usage', where: "hour < now() - interval '8 days'", orderBy: 'hour' },
  // Codes older than a day count towards no limit.
  { name: 'phone-codes', table: 'phone_codes', where: "created_at < now() - interval '1 day'" },
  // The undo links that need the address are valid for 7 days.
  {
    name: 'former-emails',
    table: 'former_emails',
    where: "left_at < now() - interval '8 days'",
    orderBy: 'left_at',
  },
  { name: 'mail-counts', table: 'mail_counts', where: "day < (now() at time zone 'UTC')::date", orderBy: 'day' },
  { name: 'text-counts', table: 'text_counts', where: "day < (now() at time zone 'UTC')::date - 90" },
  // Stripe repeats an event for three days at most.
  { name: 'billing-events', table: 'billing_events', where: "settled_at < now() - interval '30 days'" },
  // SendGrid repeats a batch for a day at most.
  {
    name: 'mail-events',
    table: 'mail_events',
    where: "received_at < now() - interval '30 days'",
    orderBy: 'received_at',
  },
  // Locks of processes that ended without releasing them.
  { name: 'billing-leases', table: 'billing_leases', where: "until < now() - interval '1 hour'" },
  // Push messages hold no words, and nobody looks for one of a year ago.
  {
    name: 'old-pushes',
    table: 'pushes',
    where: "created_at < now() - interval '12 months' and status not in ('waiting', 'sending')",
    everyMs: DAY,
  },
  // Devices whose push service has accepted nothing for a month, and was called lately; most have been reset or given away.
  {
    name: 'failing-push-subscriptions',
    table: 'push_subscriptions',
    where: "failing_since < now() - interval '30 days' and last_failed_at > now() - interval '7 days'",
    everyMs: DAY,
  },
  {
    name: 'contact-messages',
    table: 'contact_messages',
    where: "created_at < now() - interval '12 months'",
    everyMs: DAY,
  },
  {
    name: 'contact-mails',
    table: 'mails',
    where: "kind = 'contact' and created_at < now() - interval '12 months'",
    everyMs: DAY,
  },
  {
    name: 'old-mails',
    table: 'mails',
    where: "status not in ('waiting', 'sending')",
    keptAs: 'messages',
    everyMs: DAY,
  },
  // Those to a number that replied STOP tell to which account it belonged.
  {
    name: 'old-texts',
    table: 'texts',
    where: "status <> 'sending' and not exists (select from text_stops s where s.phone = texts.to_phone)",
    keptAs: 'messages',
    everyMs: DAY,
  },
];

/** No position is needed where an index finds the rows: the first ones left are next. */
const MORE = 'more';

/** Deletes rows in the order of an index. Locked rows are left to the next walk. */
async function deleteByIndex(
  db: Queryable,
  { table, where, orderBy }: Retention,
  { rows }: Batch,
): Promise<BatchResult> {
  const { rowCount } = await db.query(
    `/* delete-next-of-${placeOf(table)} */ delete from ${table} where ctid = any(array(
       select ctid from ${table} where ${where} order by ${orderBy} limit $1 for update skip locked))`,
    [rows],
  );
  const removed = rowCount ?? 0;
  return { after: removed < rows ? null : MORE, removed };
}

/** SQL: the rows of some pages that are deleted, without those that others have locked. @param column what of them */
const oldOnPages = ({ table, where, keptAs }: Retention, column: string): string => `
  select ${column} from ${table}
   where ctid >= $1::tid and ctid < $2::tid
     and ${keptAs === undefined ? '$3::int4 is null' : "created_at < now() - $3::int4 * interval '1 day'"}
     and (${where}) for update skip locked`;

/** Deletes rows from a few pages of a table. Locked rows are left to the next walk. */
const deleteByPages = (db: Queryable, rule: Retention, batch: Batch, keptDays: KeptDays): Promise<BatchResult> =>
  walkPages(db, { name: rule.table, place: placeOf(rule.table) }, batch, async (pages) => {
    const { rowCount } = await db.query(
      `/* delete-old-of-${placeOf(rule.table)} */ delete from ${rule.table} where ctid = any(array(${oldOnPages(rule, 'ctid')}))`,
      [...pages, rule.keptAs === undefined ? null : keptDays[rule.keptAs]],
    );
    return rowCount ?? 0;
  });

/** Does so in a table of which every server of a cluster has a copy, in each of which the places of rows are others. */
const deleteByKey = (db: Queryable, rule: Retention, key: string, batch: Batch): Promise<BatchResult> =>
  walkPages(db, { name: rule.table, place: placeOf(rule.table) }, batch, async (pages) => {
    const { rows } = await db.query<{ key: unknown }>(
      `/* lock-old-of-${placeOf(rule.table)} */ ${oldOnPages(rule, `${key} as key`)}`,
      [...pages, null],
    );
    if (rows.length === 0) return 0;
    await db.query(`delete from ${rule.table} where ${key} = any($1)`, [rows.map((row) => row.key)]);
    return rows.length;
  });

/** The rows of the table as steps of the clean-up. */
export const retentionSteps = retention.map((rule) => ({
  name: rule.name,
  everyMs: rule.everyMs ?? HOUR,
  ...(rule.rows !== undefined && { rows: rule.rows }),
  run: (db: Queryable, batch: Batch, { keptDays }: { keptDays: KeptDays }) =>
    rule.orderBy
      ? deleteByIndex(db, rule, batch)
      : rule.key
        ? deleteByKey(db, rule, rule.key, batch)
        : deleteByPages(db, rule, batch, keptDays),
}));
