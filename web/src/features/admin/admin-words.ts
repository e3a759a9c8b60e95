import { plural } from '../../lib/text/time.ts';

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
