import type { FormKind } from '@lotwatch/api/forms/sources/source-fields';
import type { SourceState } from '../../gql/graphql.ts';
import { plural } from '../../lib/text/time.ts';

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** A lag in a short form: `0.8 s`, `12 s`, `3 min`, `2.5 h`, `4 days`. */
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

/** The time until the next poll: `in 12 s`, `in 3 min`; `now` when it is due. */
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
  stopped: 'No longer polled',
};

const kindWords: Readonly<Record<FormKind | 'push', string>> = {
  'marketplace-items': 'Marketplace items',
  'vehicle-feed': 'Vehicle feed',
  'google-vehicle-feed': 'Google vehicle feed',
  'json-feed': 'JSON feed',
  ebay: 'eBay',
  'vehicle-pages': 'Pages of a dealer’s site',
  push: 'Pushed',
};

/** The name of a kind of sources; one that this version does not know is shown as it is. */
export const kindText = (kind: string): string => (kindWords as Readonly<Record<string, string>>)[kind] ?? kind;

const codeWords: Record<string, string> = {
  NO_ID: 'No ID',
  NOT_A_CAR: 'Not a car',
  UNKNOWN_MAKE: 'Unknown make',
  BAD_PRICE: 'Bad price',
  BAD_YEAR: 'Bad year',
  BAD_PLACE: 'Bad place',
  TOO_LARGE: 'Too large',
  MALFORMED: 'Unreadable',
  DUPLICATE_ID: 'Duplicate ID',
};

/** Why a record can be quarantined, in the order of the contract. */
export const codes = Object.keys(codeWords);

export const codeText = (code: string): string => codeWords[code] ?? code;

export interface Retried {
  tried: number;
  accepted: number;
  updated: number;
  unchanged: number;
  newer: number;
  rejected: number;
}

/** Adds up the outcomes of several calls. */
export function addRetried(a: Retried, b: Retried): Retried {
  return {
    tried: a.tried + b.tried,
    accepted: a.accepted + b.accepted,
    updated: a.updated + b.updated,
    unchanged: a.unchanged + b.unchanged,
    newer: a.newer + b.newer,
    rejected: a.rejected + b.rejected,
  };
}

/** `3 records were stored, 1 record was out of date, 2 records still could not be read.` */
export function retriedText({ tried, accepted, updated, unchanged, newer, rejected }: Retried): string {
  if (tried === 0) return 'There were no records left to retry.';
  const stored = accepted + updated + unchanged;
  const wasOrWere = (count: number) => (count === 1 ? 'was' : 'were');
  const parts = [
    stored > 0 ? `${plural(stored, 'record')} ${wasOrWere(stored)} stored` : '',
    newer > 0 ? `${plural(newer, 'record')} ${wasOrWere(newer)} out of date` : '',
    rejected > 0 ? `${plural(rejected, 'record')} still could not be read` : '',
  ].filter(Boolean);
  return `${parts.join(', ')}.`;
}

/** A record in a readable form: JSON with a line for each value, other texts unchanged. */
export function prettyRecord(record: string): string {
  try {
    return JSON.stringify(JSON.parse(record), null, 2);
  } catch {
    return record;
  }
}

const actors: Readonly<Record<string, string>> = {
  admin: 'The admin',
  command: 'A command on the server',
  visitor: 'A visitor',
};

export const actorWords = (actor: string): string => actors[actor] ?? actor;

/** The outcome of an action, unless it simply succeeded. Error codes are written in capitals. */
export function outcomeWords(outcome: string): { text: string; failed: boolean } | null {
  if (outcome === 'done') return null;
  if (!/^[A-Z_]+$/.test(outcome)) return { text: outcome, failed: false };
  return { text: `Refused: ${outcome.toLowerCase().replaceAll('_', ' ')}`, failed: true };
}
