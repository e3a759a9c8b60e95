import type { Pool } from '../base/database.ts';
import { type LagCount, lagPercentileMs } from '../domain/source-health.ts';
import { MIN_FIGURES } from '../domain/status.ts';
import { type MatchChannelName, matchChannels } from '../entities/delivery-channels.ts';
import { browserServices } from '../vendors/push/browser-services.ts';

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

/** A message that is due for longer is delayed; the delivery job looks every few seconds. */
const OVERDUE = "interval '10 minutes'";
/** Fewer mails, or fewer users' push messages, that wait for another attempt may be due to their addresses or browsers. */
const RETRIED = 4;
/** Of how many open messages it is read whether they were tried, those that are due first. */
const OPEN_READ = 10_000;
/** Of how many alerts with texts it is read whether these fail; a read of an alert is a look-up. */
const TEXTS_READ = 1_000;

interface DelayRow {
  channel: string;
  bucket: number;
  ofDay: number;
  ofMonth: number;
}

/** Reads how many matches took how long, as `countDelays` has counted them. */
async function readDelays(pool: Pool): Promise<DelayRow[]> {
  const { rows } = await pool.query<DelayRow>({
    name: 'status-delays',
    text: `select channel, bucket, sum(matches)::int8 as "ofMonth",
                  coalesce(sum(matches) filter (where hour > now() - interval '24 hours'), 0)::int8 as "ofDay"
             from delivery_delays where hour > now() - interval '30 days' group by channel, bucket`,
  });
  return rows;
}

/** Since when messages of each channel are delayed, and how many, since when, wait after failed attempts. */
interface DelayedRow extends Record<MatchChannelName, Date | null> {
  mailsTried: number;
  mailsTriedSince: Date | null;
  ownersTried: number;
  ownersTriedSince: Date | null;
}

/** SQL: since when a notification of a channel is due without having been claimed. */
const unclaimed = (channel: MatchChannelName): string => `
  select due_at from notifications
   where status = 'waiting' and channel = '${channel}' and due_at < now() - ${OVERDUE} order by due_at limit 1`;

/**
 * SQL: how many messages wait after failed attempts, and since when. Those that a rule holds now are left out.
 * @param counted counts the rows `m`
 * @param isOurs whether a row `m` says something of LotWatch
 */
const retried = (table: 'mails' | 'pushes', counted: string, isOurs = 'true'): string => `
  select ${counted}::int4 as tried, min(coalesce(retry_since, created_at)) as since
    from (select * from ${table} where status in ('waiting', 'sending') order by next_try_at limit ${OPEN_READ}) m
   where error is not null and sent_at is null and (retry_since is null or retry_since <= now()) and ${isOurs}`;

/** SQL: whether the push service of a browser does not accept the message `m`. What an address of the user's own answers, they choose. */
const FAILS_AT_BROWSER_SERVICE = `exists (
    select from push_subscriptions s
     where s.id = any(m.devices) and s.user_id = m.user_id and s.failures > 0 and s.endpoint ~ '${browserServices}')`;

/** The first of some times; null where none is known. */
function firstOf(times: readonly (Date | null)[]): Date | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : new Date(Math.min(...known.map((time) => time.getTime())));
}

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, one) => sum + one, 0);

/** Since when messages of each channel wait though they are due, or after failed attempts. */
async function readDelayed(pool: Pool): Promise<Record<MatchChannelName, Date | null>> {
  const { rows } = await pool.query<DelayedRow>({
    name: 'status-delayed',
    text: `select
         least(
           (${unclaimed('email')}),
           (select next_try_at from mails
             where status = 'waiting' and next_try_at < now() - ${OVERDUE} order by next_try_at limit 1)
         ) as email, mails_tried.tried as "mailsTried", mails_tried.since as "mailsTriedSince",
         least(
           (${unclaimed('sms')}),
           -- The notifications of a text that was not accepted wait for half a minute, and then for another text.
           (select min(a.texts_failing_since)
              from (select alert_id, user_id from texts where status = 'sending'
                     union
                    (select alert_id, user_id from notifications
                      where status = 'waiting' and channel = 'sms' and due_at < now() + interval '1 minute'
                      order by due_at limit ${TEXTS_READ})) t
             cross join lateral (select texts_failing_since from alerts where id = t.alert_id and user_id = t.user_id offset 0) a
             where a.texts_failing_since < now() - ${OVERDUE})
         ) as sms,
         least(
           (${unclaimed('push')}),
           -- A claimed message has the end of its claim there.
           (select next_try_at from pushes
             where status in ('waiting', 'sending') and sent_at is null and next_try_at < now() - ${OVERDUE}
             order by next_try_at limit 1)
         ) as push, owners_tried.tried as "ownersTried", owners_tried.since as "ownersTriedSince"
         from (${retried('mails', 'count(*)')}) mails_tried
        cross join (${retried('pushes', 'count(distinct user_id)', FAILS_AT_BROWSER_SERVICE)}) owners_tried`,
  });
  const manyMails = sumOf(rows.map(({ mailsTried }) => mailsTried)) >= RETRIED;
  const manyOwners = sumOf(rows.map(({ ownersTried }) => ownersTried)) >= RETRIED;
  return {
    email: firstOf(rows.flatMap((row) => [row.email, manyMails ? row.mailsTriedSince : null])),
    sms: firstOf(rows.map(({ sms }) => sms)),
    push: firstOf(rows.flatMap((row) => [row.push, manyOwners ? row.ownersTriedSince : null])),
  };
}

function delaysOf(counts: readonly LagCount[]): DeliveryDelays {
  const matches = counts.reduce((sum, { listings }) => sum + listings, 0);
  const published = (share: number) => (matches < MIN_FIGURES ? null : lagPercentileMs(counts, share));
  return { matches, p50Ms: published(0.5), p95Ms: published(0.95) };
}

/** Reads how fast the channels deliver, and whether they are delayed. */
export async function readChannelStatus(pool: Pool): Promise<ChannelStatus[]> {
  const [rows, delayed] = await Promise.all([readDelays(pool), readDelayed(pool)]);
  return matchChannels.map(({ name: channel }) => {
    const own = rows.filter((row) => row.channel === channel);
    return {
      channel,
      lastDay: delaysOf(own.map(({ bucket, ofDay }) => ({ bucket, listings: ofDay }))),
      last30Days: delaysOf(own.map(({ bucket, ofMonth }) => ({ bucket, listings: ofMonth }))),
      delayedSince: delayed[channel],
    };
  });
}
