import type { Pool } from '../base/database.ts';
import { countLags } from '../domain/source-health.ts';
import type { MatchChannelName } from '../entities/delivery-channels.ts';
import { keysOf, type OwnedRow } from '../entities/owned-rows.ts';
import { browserServices } from '../vendors/push/browser-services.ts';

/**
 * Where the messages of a channel are, with SQL: whether a message `m` counts. A push message counts if a browser's push
 * service has got it, or nobody in a trial without devices: an address of the user's own answers when the user likes.
 */
const messages: Readonly<Record<MatchChannelName, { table: string; column: string; isCounted: string }>> = {
  email: { table: 'mails', column: 'mail_id', isCounted: 'true' },
  sms: { table: 'texts', column: 'text_id', isCounted: 'true' },
  push: {
    table: 'pushes',
    column: 'push_id',
    isCounted: `(m.devices = '{}' or exists (
      select from push_subscriptions s
       where s.id = any(m.devices) and s.user_id = m.user_id and s.endpoint ~ '${browserServices}'))`,
  },
};

interface DelayRow {
  hour: Date;
  ms: number;
}

/**
 * Adds how long the matches of these messages took, from the first sight of the listing until the provider accepted the
 * message, to the counts of the channel's hours. Those that a rule of the buyer's held are left out, and so are price drops
 * of cars that were seen long before, what was sent again, and push messages to other services than those of browsers.
 * @param ended messages that have ended; only those that were sent count, each call once
 */
export async function countDelays(
  pool: Pool,
  channel: MatchChannelName,
  ended: readonly OwnedRow<string>[],
): Promise<void> {
  const { table, column, isCounted } = messages[channel];
  const { rows } = await pool.query<DelayRow>({
    name: `notify-delays-${channel}`,
    // "offset 0" makes each step a look-up by index, whatever sizes the planner assumes.
    text: `select date_trunc('hour', m.sent_at, 'UTC') as hour, (extract(epoch from m.sent_at - l.seen_at) * 1000)::float8 as ms
             from ${table} m
            cross join lateral (
              select listing_id, kind, status, held_by, resent from notifications
               where ${column} = m.id and user_id = m.user_id offset 0) n
            cross join lateral (select seen_at from listings where id = n.listing_id offset 0) l
            where m.id = any($1::uuid[]) and m.user_id = any($2::int8[]) and m.sent_at is not null and ${isCounted}
                  and n.status = 'sent' and n.kind = 'match' and not n.resent and (n.held_by is null or n.held_by = 'interval')`,
    values: keysOf(ended),
  });
  if (rows.length === 0) return;
  const counts = [...Map.groupBy(rows, ({ hour }) => hour.getTime())].flatMap(([hour, some]) =>
    countLags(some.map(({ ms }) => ms)).map(({ bucket, listings }) => ({
      hour: new Date(hour),
      bucket,
      matches: listings,
    })),
  );
  await pool.query({
    name: 'notify-count-delays',
    // In one order, as other processes add to the same rows.
    text: `insert into delivery_delays as d (channel, hour, bucket, matches)
           select $1, hour, bucket, matches from unnest($2::timestamptz[], $3::int2[], $4::int8[]) c (hour, bucket, matches)
            order by hour, bucket
           on conflict (channel, hour, bucket) do update set matches = d.matches + excluded.matches`,
    values: [
      channel,
      counts.map(({ hour }) => hour),
      counts.map(({ bucket }) => bucket),
      counts.map(({ matches }) => matches),
    ],
  });
}
