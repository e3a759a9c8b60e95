import { plural, timeText } from '../../lib/text/time.ts';

interface Receipt {
  listedAt?: string | null;
  seenAt: string;
  matchedAt: string;
  handedOverAt?: string | null;
  deliveredAt?: string | null;
  deliveredBy?: string | null;
}

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** `+1.8 s`, `+12 min`, `+3 h`, `+2 days`; clocks that disagree never give a negative step. */
function step(from: string, to: string): string {
  const ms = Math.max(0, Date.parse(to) - Date.parse(from));
  if (ms < minuteMs - 50) return `+${(ms / secondMs).toFixed(1)} s`;
  if (ms < hourMs) return `+${Math.floor(ms / minuteMs) || 1} min`;
  if (ms < dayMs) return `+${Math.floor(ms / hourMs)} h`;
  return `+${plural(Math.floor(ms / dayMs), 'day')}`;
}

/** Whether a push message is on a device, its service does not report. */
const deliveryWords = ({ deliveredBy }: Receipt): string =>
  deliveredBy === 'push' ? 'accepted by the push service' : 'delivered';

/**
 * `Listed 10:02:11 · seen +1.8 s · sent +2.1 s · delivered +3.0 s`: each step counts from the one before it.
 * @param before what was done to the alert after the car was listed, for a pair that a backfill found: its steps
 *   would count from a time at which nobody waited for the car
 */
export function receiptText(receipt: Receipt, now: Date, before: 'made' | 'changed' | null = null): string {
  const { listedAt, seenAt, matchedAt, handedOverAt, deliveredAt } = receipt;
  if (before) {
    const since = listedAt ? `Listed ${timeText(listedAt, now)}` : `Seen ${timeText(seenAt, now)}`;
    return `${since} · before you ${before} this alert`;
  }
  const first = listedAt
    ? [`Listed ${timeText(listedAt, now)}`, `seen ${step(listedAt, seenAt)}`]
    : [`Seen ${timeText(seenAt, now)}`];
  if (!handedOverAt) return [...first, `matched ${step(seenAt, matchedAt)}`].join(' · ');
  const delivered = deliveredAt ? [`${deliveryWords(receipt)} ${step(handedOverAt, deliveredAt)}`] : [];
  return [...first, `sent ${step(seenAt, handedOverAt)}`, ...delivered].join(' · ');
}
