import { plural } from '../../lib/text/time.ts';

export interface Retried {
  tried: number;
  accepted: number;
  updated: number;
  unchanged: number;
  newer: number;
  rejected: number;
}

/** The outcomes of several calls as one. */
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

/** `3 records went in, 1 was out of date, 2 are still not understood.` */
export function retriedText({ tried, accepted, updated, unchanged, newer, rejected }: Retried): string {
  if (tried === 0) return 'There was nothing left to try.';
  const wentIn = accepted + updated + unchanged;
  const parts = [
    wentIn > 0 ? `${plural(wentIn, 'record')} went in` : '',
    newer > 0 ? `${newer.toLocaleString('en-US')} ${newer === 1 ? 'was' : 'were'} out of date` : '',
    rejected > 0 ? `${rejected.toLocaleString('en-US')} ${rejected === 1 ? 'is' : 'are'} still not understood` : '',
  ].filter(Boolean);
  return `${parts.join(', ')}.`;
}

/** A record as people can read it: JSON with a line for each value, anything else as it is. */
export function prettyRecord(record: string): string {
  try {
    return JSON.stringify(JSON.parse(record), null, 2);
  } catch {
    return record;
  }
}
