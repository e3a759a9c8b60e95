import type { SourceState } from '../../gql/graphql.ts';
import { plural } from '../../lib/text/time.ts';

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** `0.8 s`, `12 s`, `3 min`, `2.5 h`, `4 days`: a lag in words that fit a table. */
export function lagText(lagMs: number): string {
  if (lagMs < 9950) return `${(lagMs / secondMs).toFixed(1)} s`;
  if (lagMs < minuteMs - 500) return `${Math.round(lagMs / secondMs)} s`;
  if (lagMs < hourMs) return `${Math.floor(lagMs / minuteMs) || 1} min`;
  if (lagMs < dayMs) return `${Number((lagMs / hourMs).toFixed(1))} h`;
  return plural(Math.floor(lagMs / dayMs), 'day');
}

/** `every 5 s`, `every 2 min`. */
export function intervalText(seconds: number): string {
  return `every ${seconds < 120 ? `${Number(seconds.toFixed(1))} s` : `${Math.round(seconds / 60)} min`}`;
}

/** `in 12 s`, `in 3 min`; `now` when it is due. */
export function untilText(at: string, now: Date): string {
  const ms = Date.parse(at) - now.getTime();
  if (ms < secondMs) return 'now';
  if (ms < minuteMs) return `in ${Math.floor(ms / secondMs)} s`;
  return ms < hourMs ? `in ${Math.floor(ms / minuteMs)} min` : `in ${Math.floor(ms / hourMs)} h`;
}

export const stateWords: Record<SourceState, string> = {
  waiting: 'Not read yet',
  healthy: 'Healthy',
  degraded: 'Last read failed',
  failing: 'Failing',
  stopped: 'Not polled any more',
};

const kindWords: Record<string, string> = {
  'marketplace-items': 'Marketplace items',
  'vehicle-feed': 'Vehicle feed',
  push: 'Pushed',
};

export const kindText = (kind: string): string => kindWords[kind] ?? kind;

const codeWords: Record<string, string> = {
  NO_ID: 'No id',
  NOT_A_CAR: 'Not a car',
  UNKNOWN_MAKE: 'Unknown make',
  BAD_PRICE: 'Bad price',
  BAD_YEAR: 'Bad year',
  BAD_PLACE: 'Bad place',
  TOO_LARGE: 'Too large',
  MALFORMED: 'Unreadable',
  DUPLICATE_ID: 'Id twice',
};

/** What a record can be set aside for, in the order of the contract. */
export const codes = Object.keys(codeWords);

export const codeText = (code: string): string => codeWords[code] ?? code;
