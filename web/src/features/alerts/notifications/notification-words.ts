import type { DropRule } from '@lotwatch/api/drop-rules';
import { plural } from '../../../lib/text/time.ts';

/** What the sentences about a notification need of it. */
export interface Told {
  kind: string;
  channel: string;
  status: string;
  reason?: string | null;
  listingCount: number;
  createdAt: string;
  dueAt?: string | null;
  sentAt?: string | null;
  deliveredAt?: string | null;
}

const kinds: Readonly<Record<string, (cars: number) => string>> = {
  price_drop: (cars) => plural(cars, 'price drop'),
  sold: (cars) => `${plural(cars, 'car')} no longer for sale`,
  digest: (cars) => `Digest of ${plural(cars, 'car')}`,
  summary: (cars) => `Summary of ${plural(cars, 'car')}`,
};

/** `3 new matches` */
export function titleOf({ kind, listingCount }: Told): string {
  return kinds[kind]?.(listingCount) ?? plural(listingCount, 'new match', 'new matches');
}

const dayKey = (at: Date, timeZone: string): string =>
  at.toLocaleDateString('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });

const DAY_MS = 86_400_000;

/** `Today`, `Yesterday`, `Tomorrow`, or `Saturday, November 21`; with the year when it is another one. */
export function dayName(at: string | Date, now: Date, timeZone: string): string {
  const date = new Date(at);
  const key = dayKey(date, timeZone);
  const days = (Date.parse(key) - Date.parse(dayKey(now, timeZone))) / DAY_MS;
  const near = { '-1': 'Yesterday', 0: 'Today', 1: 'Tomorrow' }[days];
  if (near) return near;
  const year = key.slice(0, 4) === dayKey(now, timeZone).slice(0, 4) ? undefined : 'numeric';
  return date.toLocaleDateString('en-US', { timeZone, weekday: 'long', month: 'long', day: 'numeric', year });
}

const clock = (at: string, timeZone: string): string =>
  new Date(at).toLocaleTimeString('en-US', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

/** `07:00` today, `tomorrow at 07:00`, `Saturday, November 28 at 07:00`. */
function timeOf(at: string, now: Date, timeZone: string): string {
  const day = dayName(at, now, timeZone);
  if (day === 'Today') return clock(at, timeZone);
  return `${day.includes(',') ? day : day.toLowerCase()} at ${clock(at, timeZone)}`;
}

/** `at 07:00` today, else `yesterday at 07:00`, `on Saturday, November 21 at 07:00`. */
function whenText(at: string, now: Date, timeZone: string): string {
  const day = dayName(at, now, timeZone);
  if (day === 'Today') return `at ${clock(at, timeZone)}`;
  return day.includes(',') ? `on ${timeOf(at, now, timeZone)}` : timeOf(at, now, timeZone);
}

const rules: Readonly<Record<string, string>> = {
  interval: 'an alert sends at most one message every five minutes',
  digest: 'the daily digest leaves then',
  quiet_hours: 'quiet hours',
  snoozed: 'the alert is snoozed',
  daily_limit: "the day's limit of mails is reached",
};

const ways: Readonly<Record<string, string>> = { sms: 'text message', push: 'push notification' };
/** Why a message was dropped whose cars still fitted. */
const dropWords: Readonly<Record<Exclude<DropRule, 'dismissed'>, string>> = {
  monthly_limit: "your plan's text messages of the month are used up",
  service_limit: 'we had sent as many text messages as we may on one day',
  country: 'we send no text messages to the country of your number',
  no_device: 'no device of yours gets push notifications. You can turn them on in the settings',
};
const isWorded = (reason: string): reason is keyof typeof dropWords => Object.hasOwn(dropWords, reason);

const way = (channel: string): string => ways[channel] ?? 'mail';

function waitingText({ reason, dueAt, channel }: Told, now: Date, timeZone: string): string {
  if (reason === 'paused')
    return `Waits until you resume messages: all messages are paused. It then leaves by ${way(channel)}.`;
  if (reason === 'suppressed')
    return 'Waits until mails to your address are resumed: one came back, or was reported as spam.';
  if (!dueAt || new Date(dueAt) <= now) return `Is about to be sent by ${way(channel)}.`;
  const rule = reason ? rules[reason] : undefined;
  const until = `Waits until ${timeOf(dueAt, now, timeZone)}`;
  if (rule) return `${until}: ${rule}. It then leaves by ${way(channel)}.`;
  return reason
    ? `${until}: the last try to send the ${way(channel)} failed.`
    : `${until}, and then leaves by ${way(channel)}.`;
}

/**
 * What happened to a notification, or what will, in plain sentences such as 'Waits until 07:00: quiet hours.'
 * @param timeZone the one in which the rules of delivery are meant
 */
export function whatHappened(told: Told, now: Date, timeZone: string): string {
  const { status, channel, sentAt, createdAt, deliveredAt } = told;
  const by = way(channel);
  switch (status) {
    case 'waiting':
      return waitingText(told, now, timeZone);
    case 'sending':
      return `Is being sent by ${by}.`;
    case 'sent': {
      const leftAt = sentAt ?? createdAt;
      const sent = `Sent by ${by} ${whenText(leftAt, now, timeZone)}.`;
      if (told.reason) return `${sent} The provider reports that it did not arrive.`;
      if (!deliveredAt) return sent;
      // The same day is not named twice.
      const isSameDay = dayKey(new Date(deliveredAt), timeZone) === dayKey(new Date(leftAt), timeZone);
      return `${sent} It arrived ${isSameDay ? `at ${clock(deliveredAt, timeZone)}` : whenText(deliveredAt, now, timeZone)}.`;
    }
    case 'dropped':
      if (told.reason === 'dismissed')
        return `Not sent by ${by}: you hid ${told.listingCount === 1 ? 'this car' : 'these cars'}.`;
      if (told.reason && isWorded(told.reason)) return `Not sent by ${by}: ${dropWords[told.reason]}.`;
      return `Not sent by ${by}: no car was still for sale and fitted the alert, or the alert wanted no message any more.`;
    case 'failed':
      return `Not sent: the ${by} was refused.`;
    default:
      return 'It is not known whether this text message arrived. It is not sent again by itself, so that you never get it twice.';
  }
}

/** Whether its cars can be sent again; the server decides whether they are. Sold cars are not. */
export const canResend = ({ kind, status, alert }: Pick<Told, 'kind' | 'status'> & { alert?: unknown }): boolean =>
  Boolean(alert) && kind !== 'sold' && (status === 'sent' || status === 'failed' || status === 'unknown');

/** `2018 Toyota Camry SE, 2019 Toyota Camry LE and 4 more` */
export function carsText(titles: readonly string[], count: number, shown = 3): string {
  const named = titles.slice(0, shown);
  const more = count - named.length;
  if (named.length === 0) return '';
  return more > 0
    ? `${named.join(', ')} and ${more.toLocaleString('en-US')} more`
    : new Intl.ListFormat('en-US', { type: 'conjunction' }).format(named);
}

/** Divides notifications into what waits and the days on which the others began. */
export function byDay<T extends Told>(nodes: readonly T[], now: Date, timeZone: string): [string, T[]][] {
  const groups = Map.groupBy(nodes, (node) =>
    node.status === 'waiting' ? 'Waiting' : dayName(node.createdAt, now, timeZone),
  );
  const waiting = groups.get('Waiting');
  groups.delete('Waiting');
  return [...(waiting ? ([['Waiting', waiting]] as [string, T[]][]) : []), ...groups];
}
