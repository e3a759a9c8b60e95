import { plural } from '../../lib/text/time.ts';
import type { Delivery } from './delivery-documents.ts';

type Tone = 'brand' | 'outline' | 'quiet' | 'bad';

const styles: Record<Delivery['status'], { text: string; tone: Tone }> = {
  waiting: { text: 'Waiting', tone: 'outline' },
  sending: { text: 'Sending', tone: 'outline' },
  delivered: { text: 'Delivered', tone: 'brand' },
  failed: { text: 'Failed', tone: 'bad' },
  expired: { text: 'Expired', tone: 'quiet' },
};

/** The outcome of a delivery, or that it failed and waits for another try. */
export function statusStyle({ status, attempts }: Pick<Delivery, 'status' | 'attempts'>): { text: string; tone: Tone } {
  if (status === 'waiting' && attempts[0]?.error) return { text: 'Retrying', tone: 'bad' };
  return styles[status];
}

/** The time until the next attempt: `in 4 min`. */
export function inText(at: string | Date, now: Date): string {
  const seconds = Math.round((new Date(at).getTime() - now.getTime()) / 1000);
  if (seconds <= 5) return 'in a moment';
  if (seconds < 60) return `in ${seconds} s`;
  if (seconds < 3_600) return `in ${Math.round(seconds / 60)} min`;
  return `in ${Math.round(seconds / 3_600)} h`;
}

export function triesText({ attempts }: Pick<Delivery, 'attempts'>): string {
  return attempts.length === 0 ? 'Not tried yet' : plural(attempts.length, 'try', 'tries');
}

/** JSON with indentation; other texts unchanged. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
