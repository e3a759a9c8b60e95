import type { Pool } from '../base/database.ts';
import { MIN_FIGURES } from '../domain/status.ts';
import { type MatchChannelName, matchChannels } from '../entities/delivery-channels.ts';

/** How long matches took from the first sight of the listing until its message was passed to the provider. */
export interface DeliveryDelays {
  matches: number;
  /** Milliseconds; null with too few matches. */
  p50Ms: number | null;
  p95Ms: number | null;
}

export interface ChannelStatus {
  channel: MatchChannelName;
  lastDay: DeliveryDelays;
  last30Days: DeliveryDelays;
  /** Since when messages wait that should have left; null while none does. */
  delayedSince: Date | null;
}

/** The figures cover this many of the newest notifications, so that reading them costs the same however many there are. */
const NEWEST = 10_000;
/** A message that is due for longer is delayed; the delivery job looks every few seconds. */
const OVERDUE = "interval '10 minutes'";
/** Fewer mails, or fewer users' push messages, that wait for another attempt may be due to their addresses. */
const RETRIED = 4;
/** Of how many open messages it is read whether they were tried, those that are due first. */
const OPEN_READ = 10_000;
/** Of how many alerts with texts it is read whether these fail; a read of an alert is a look-up. */
const TEXTS_READ = 1_000;

interface DelayRow {
  channel: string;
  dayMatches: number;
  dayP50: number | null;
  dayP95: number | null;
  monthMatches: number;
  monthP50: number | null;
  monthP95: number | null;
}

/** Matches that a rule of the buyer's held back are left out, and so are price drops of cars seen long before. */
async function readDelays(pool: Pool): Promise<DelayRow[]> {
  const { rows } = await pool.query<DelayRow>({
    name: 'status-delays',
    text: `with newest as materialized (
         select channel, kind, status, held_by, resent, mail_id, text_id, push_id, listing_id
           from notifications order by id desc limit ${NEWEST}
       ), sent as (
         select n.channel, o.sent_at > now() - interval '1 day' as is_new,
                extract(epoch from o.sent_at - l.seen_at)::float8 * 1000 as ms
           from newest n
           join listings l on l.id = n.listing_id
           left join mails m on m.id = n.mail_id
           left join texts t on t.id = n.text_id
           left join pushes p on p.id = n.push_id
          cross join lateral (select coalesce(m.sent_at, t.sent_at, p.sent_at) as sent_at) o
          -- What a first device has got was passed on, while others still wait for it.
          where n.status in ('sent', 'sending') and n.kind = 'match' and not n.resent and (n.held_by is null or n.held_by = 'interval')
                and o.sent_at > now() - interval '30 days'
       )
       select channel, count(*) filter (where is_new)::int4 as "dayMatches", count(*)::int4 as "monthMatches",
              percentile_disc(0.5) within group (order by ms) filter (where is_new) as "dayP50",
              percentile_disc(0.95) within group (order by ms) filter (where is_new) as "dayP95",
              percentile_disc(0.5) within group (order by ms) as "monthP50",
              percentile_disc(0.95) within group (order by ms) as "monthP95"
         from sent group by channel`,
  });
  return rows;
}

type DelayedRow = Record<MatchChannelName, Date | null>;

/** SQL: since when a notification of a channel is due without having been claimed. */
const unclaimed = (channel: MatchChannelName): string => `
  select due_at from notifications
   where status = 'waiting' and channel = '${channel}' and due_at < now() - ${OVERDUE} order by due_at limit 1`;

/**
 * SQL: since when so many messages wait after failed attempts. Those that a rule holds now are left out.
 * @param counted counts the rows `m`
 */
const retried = (table: 'mails' | 'pushes', counted: string): string => `
  select case when ${counted} >= ${RETRIED} then min(coalesce(retry_since, created_at)) end
    from (select * from ${table} where status in ('waiting', 'sending') order by next_try_at limit ${OPEN_READ}) m
   where error is not null and sent_at is null and (retry_since is null or retry_since <= now())`;

/** Since when messages of each channel wait though they are due, or after failed attempts. */
async function readDelayed(pool: Pool): Promise<DelayedRow> {
  const { rows } = await pool.query<DelayedRow>({
    name: 'status-delayed',
    text: `select
         least(
           (${unclaimed('email')}),
           (select next_try_at from mails
             where status = 'waiting' and next_try_at < now() - ${OVERDUE} order by next_try_at limit 1),
           (${retried('mails', 'count(*)')})
         ) as email,
         least(
           (${unclaimed('sms')}),
           -- The notifications of a text that was not accepted wait for half a minute, and then for another text.
           (select min(a.texts_failing_since)
              from (select alert_id from texts where status = 'sending'
                     union
                    (select alert_id from notifications
                      where status = 'waiting' and channel = 'sms' and due_at < now() + interval '1 minute'
                      order by due_at limit ${TEXTS_READ})) t
             cross join lateral (select texts_failing_since from alerts where id = t.alert_id offset 0) a
             where a.texts_failing_since < now() - ${OVERDUE})
         ) as sms,
         least(
           (${unclaimed('push')}),
           -- A claimed message has the end of its claim there.
           (select next_try_at from pushes
             where status in ('waiting', 'sending') and sent_at is null and next_try_at < now() - ${OVERDUE}
             order by next_try_at limit 1),
           (${retried('pushes', 'count(distinct user_id)')})
         ) as push`,
  });
  return rows[0] ?? { email: null, sms: null, push: null };
}

function delaysOf(matches = 0, p50: number | null = null, p95: number | null = null): DeliveryDelays {
  const published = (ms: number | null) => (ms === null || matches < MIN_FIGURES ? null : Math.round(ms));
  return { matches, p50Ms: published(p50), p95Ms: published(p95) };
}

/** Reads how fast the channels deliver, and whether they are delayed. */
export async function readChannelStatus(pool: Pool): Promise<ChannelStatus[]> {
  const [rows, delayed] = await Promise.all([readDelays(pool), readDelayed(pool)]);
  return matchChannels.map(({ name: channel }) => {
    const row = rows.find((one) => one.channel === channel);
    return {
      channel,
      lastDay: delaysOf(row?.dayMatches, row?.dayP50, row?.dayP95),
      last30Days: delaysOf(row?.monthMatches, row?.monthP50, row?.monthP95),
      delayedSince: delayed[channel],
    };
  });
}
