import { dayText, timeAgo } from '../../lib/text/time.ts';
import type { Webhook } from './webhook-documents.ts';

/** The events that a webhook can receive. */
export const eventChoices = [
  { type: 'match.created', label: 'New match', hint: 'A car matches one of your alerts.' },
  { type: 'listing.price_dropped', label: 'Price drop', hint: 'The price of a matching car dropped by 5% or more.' },
  { type: 'alert.expiring', label: 'Alert ending', hint: 'An alert expires in three days.' },
] as const;

export function eventLabel(type: string): string {
  if (type === 'webhook.test') return 'Test';
  return eventChoices.find((choice) => choice.type === type)?.label ?? type;
}

/** The state of a webhook: the look of its dot and the text beside it. */
export type WebhookHealth = 'waiting' | 'healthy' | 'failing' | 'paused';

export function healthOf({
  state,
  failingSince,
  lastTry,
}: Pick<Webhook, 'state' | 'failingSince' | 'lastTry'>): WebhookHealth {
  if (state === 'paused') return 'paused';
  if (failingSince) return 'failing';
  return lastTry ? 'healthy' : 'waiting';
}

type WebhookState = Pick<Webhook, 'state' | 'failingSince' | 'lastTry' | 'pausedBecause' | 'pausedAt'>;

export function stateText(webhook: WebhookState, now: Date): string {
  const { failingSince, pausedBecause, pausedAt } = webhook;
  switch (healthOf(webhook)) {
    case 'waiting':
      return 'Active, nothing sent yet';
    case 'healthy':
      return 'Active';
    case 'failing':
      return `Failing for ${timeAgo(failingSince ?? now, now).replace(' ago', '')}`;
    default:
      if (pausedBecause === 'gone') return 'Paused: it answered 410 Gone';
      if (pausedBecause === 'failures') return 'Paused: every delivery failed for a day';
      return `Paused since ${dayText(pausedAt ?? now, now)}`;
  }
}

/** The last attempt in a few words; empty before the first. */
export function lastTryText({ lastTry }: Pick<Webhook, 'lastTry'>, now: Date): string {
  if (!lastTry) return '';
  const when = timeAgo(lastTry.at, now);
  return lastTry.taken ? `Last delivery ${when}` : `Last try ${when}: ${lastTry.error}`;
}

/** 'dealer.example/hooks': the part in which addresses differ. */
export function shortUrl(url: string): string {
  return url.replace(/^https?:\/\//, '').replace(/\/$/, '');
}
