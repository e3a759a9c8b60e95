import type { Queryable } from '../base/database.ts';

/** What waits for work, and since when the first of it could have been done. */
interface Queue {
  queue: string;
  /** At most `MOST`. */
  waiting: number;
  oldestSeconds: number;
}

/** Counting more would take longer than it is worth. */
const MOST = 100_000;

/** SQL: the times since when rows are due, of a condition that an index serves. */
const dueSince: Readonly<Record<string, string>> = {
  matching: 'select marked_at from listings_to_match where is_news',
  'email notifications': notifications('email'),
  'sms notifications': notifications('sms'),
  'push notifications': notifications('push'),
  mails: "select next_try_at from mails where status in ('waiting', 'sending') and next_try_at <= now()",
  texts: "select created_at from texts where status = 'sending'",
  pushes: "select next_try_at from pushes where status in ('waiting', 'sending') and next_try_at <= now()",
  webhooks: "select next_try_at from webhook_deliveries where status = 'waiting' and next_try_at <= now()",
  payments: 'select next_try_at from billing_events where settled_at is null and next_try_at <= now()',
};

function notifications(channel: string): string {
  return `select due_at from notifications where status = 'waiting' and channel = '${channel}' and due_at <= now()`;
}

const sql = Object.entries(dueSince)
  .map(
    ([queue, rows]) => `
  select '${queue}' as queue, count(*)::int4 as waiting,
         coalesce(greatest(0, extract(epoch from now() - min(since))), 0)::float8 as "oldestSeconds"
    from (${rows} limit ${MOST}) q (since)`,
  )
  .join(' union all ');

/** Reads the depth and the age of every queue. */
export async function readQueues(db: Queryable): Promise<Queue[]> {
  const { rows } = await db.query<Queue>({ name: 'metrics-queues', text: sql });
  return rows;
}

interface SourceFigures {
  source: string;
  /** Since the last read without an error; null before the first. */
  silentSeconds: number | null;
  failures: number;
  /** From listed to seen, of the listing that came last; null where the source states no date. */
  lagSeconds: number | null;
  isClaimed: boolean;
}

/** Reads how each source that has not ended is doing. */
export async function readSources(db: Queryable): Promise<SourceFigures[]> {
  const { rows } = await db.query<SourceFigures>({
    name: 'metrics-sources',
    text: `select name as source, extract(epoch from now() - last_success_at)::float8 as "silentSeconds", failures,
                  lag_ms / 1000.0::float8 as "lagSeconds", coalesce(claimed_until > now(), false) as "isClaimed"
             from sources where ended_by is null order by name`,
  });
  return rows;
}
