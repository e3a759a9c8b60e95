/** The moments at which a process of LotWatch is killed or paused, each where a careless design would do harm. */
export const moments = [
  'after-commit',
  'mid-match',
  'after-claim',
  'before-record',
  'source-claimed',
  'look-back',
] as const;
/** Those of a run for texts: one is committed as 'sending' and not handed over; the provider has taken it. */
export const textMoments = ['text-claimed', 'text-taken'] as const;
export type Moment = (typeof moments)[number] | (typeof textMoments)[number];

export const noMoments = (): Record<Moment, number> => ({
  'after-commit': 0,
  'mid-match': 0,
  'after-claim': 0,
  'before-record': 0,
  'source-claimed': 0,
  'look-back': 0,
  'text-claimed': 0,
  'text-taken': 0,
});

export const plants = [
  'no-claim',
  'no-mark',
  'no-unique',
  'old-position',
  'old-cluster',
  'held-lock',
  'doubled-expiry',
  'ended-sources',
] as const;
export type Plant = (typeof plants)[number];

/** What the watch in a process is told at its start, as JSON in the variable `FAULTS_WATCH`. */
export interface WatchSetup {
  /** Where it writes what it saw: a `WatchReport`. */
  report: string;
  /** Where it finds the `Order` that it is to carry out, while there is one. */
  orders: string;
  plant?: Plant;
}

/** The process ends or stops itself at the `nth` time of this moment from now on. */
export interface Order {
  id: number;
  moment: Moment;
  nth: number;
  does: 'kill' | 'stop';
}

export interface WatchReport {
  reached: Record<Moment, number>;
  /** The order that it has carried out last, and when, in milliseconds since 1970. */
  done?: { id: number; at: number };
  /** The moment at which it killed itself. */
  killedAt?: Moment;
  /** How many statements the planted defect has changed. */
  planted: number;
}

/** One statement as it is handed to the client of `pg`. */
export interface Statement {
  name: string;
  text: string;
  values: readonly unknown[];
}

/** What a connection did since its transaction began. */
export interface Doing {
  inTransaction: boolean;
  stored: boolean;
  claimed: boolean;
  textClaimed: boolean;
  sourceClaimed: boolean;
}

const idle = (): Doing => ({
  inTransaction: false,
  stored: false,
  claimed: false,
  textClaimed: false,
  sourceClaimed: false,
});
export const newDoing = idle;

const startsWith = (text: string, word: string) => text.trimStart().slice(0, word.length).toLowerCase() === word;
const storesListings = /\b(insert into|merge into|update) listings\b/;
const insertsMatches = /\binsert into matches\b/;
const claimsMails = /\binsert into mails\b[\s\S]*'sending'/;
const claimsSources = /\bupdate sources\b[\s\S]*\breturning\b[\s\S]*\bsettings\b/;
const looksBack = /^match-alerts-(fresh|again)$/;
const settlesMails = /\bupdate mails\b[\s\S]*sent_at/;

/** The moment that has come now that this statement is about to be sent. */
export function momentBefore({ name, text, values }: Statement): Moment | null {
  if (name === 'complete-text') return values.includes('sent') ? 'text-taken' : null;
  const records = settlesMails.test(text) && (values.includes('sent') || /status = 'sent'/.test(text));
  return records ? 'before-record' : null;
}

interface Outcome {
  /** 'ROLLBACK' for the commit of a transaction that had failed. */
  command: string;
  rowCount: number | null;
  rows: unknown[];
}

const hasPairs = (row: unknown): boolean => {
  const ids = typeof row === 'object' && row !== null && 'ids' in row ? row.ids : undefined;
  return !Array.isArray(ids) || ids.length > 0;
};

/** The moment that has come now that this statement has succeeded. Notes in `doing` what the transaction did. */
export function momentAfter({ text, name }: Statement, outcome: Outcome, doing: Doing): Moment | null {
  if (startsWith(text, 'begin')) {
    Object.assign(doing, idle(), { inTransaction: true });
    return null;
  }
  if (startsWith(text, 'rollback')) {
    Object.assign(doing, idle());
    return null;
  }
  if (startsWith(text, 'commit')) {
    const { stored, claimed, textClaimed, sourceClaimed } = doing;
    Object.assign(doing, idle());
    if (outcome.command !== 'COMMIT') return null;
    if (textClaimed) return 'text-claimed';
    if (sourceClaimed) return 'source-claimed';
    return stored ? 'after-commit' : claimed ? 'after-claim' : null;
  }
  const some = (outcome.rowCount ?? 0) > 0;
  if (looksBack.test(name)) return 'look-back';
  if (insertsMatches.test(text)) return hasPairs(outcome.rows[0]) ? 'mid-match' : null;
  if (storesListings.test(text) && !/pending_match = false/.test(text)) doing.stored ||= some;
  if (claimsSources.test(text) && some) {
    if (!doing.inTransaction) return 'source-claimed';
    doing.sourceClaimed = true;
  }
  if (name === 'texts-claim') doing.textClaimed = true;
  if ((name === 'notify-claim' || claimsMails.test(text)) && some) {
    if (!doing.inTransaction) return 'after-claim';
    doing.claimed = true;
  }
  return null;
}
