import type { DropRule } from '@lotwatch/api/drop-rules';
import { matchCountText } from '@lotwatch/api/match-cap';
import { conjoined } from '@lotwatch/api/plain-words';
import { clock, dayKey, dayName, timeOf, whenText } from '../../../lib/text/account-time.ts';
import { endWords, holdWords } from '../../../lib/text/hold-words.ts';
import { pluralMatches } from '../../../lib/text/time.ts';

/** What the sentences about a notification need of it. */
export interface Told {
  kind: string;
  channel: string;
  status: string;
  reason?: string | null;
  heldBy?: string | null;
  listingCount: number;
  createdAt: string;
  dueAt?: string | null;
  sentAt?: string | null;
  deliveredAt?: string | null;
}

const kinds: Readonly<Record<string, (cars: number) => string>> = {
  price_drop: (cars) => pluralMatches(cars, 'price drop'),
  sold: (cars) => `${pluralMatches(cars, 'car')} no longer for sale`,
  digest: (cars) => `Digest of ${pluralMatches(cars, 'car')}`,
  summary: (cars) => `Summary of ${pluralMatches(cars, 'car')}`,
};

/** `3 new matches` */
export function titleOf({ kind, listingCount }: Told): string {
  return kinds[kind]?.(listingCount) ?? pluralMatches(listingCount, 'new match', 'new matches');
}

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

function waitingText(told: Told, now: Date, timeZone: string): string {
  const { reason, dueAt, channel } = told;
  const held = holdWords(told, now, timeZone);
  if (held !== null)
    return reason === 'suppressed' ? `Waits ${held}.` : `Waits ${held}. It then leaves by ${way(channel)}.`;
  if (!dueAt || new Date(dueAt) <= now) return `Is about to be sent by ${way(channel)}.`;
  const until = `Waits until ${timeOf(dueAt, now, timeZone)}`;
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
      const why = endWords(told.heldBy);
      const sent = `Sent by ${by} ${whenText(leftAt, now, timeZone)}${why ? `, ${why}` : ''}.`;
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
  return more > 0 ? `${named.join(', ')} and ${matchCountText(more)} more` : conjoined(named);
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
