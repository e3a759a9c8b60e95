import type { Statement } from '../../lab/intercept-statements.ts';

/** The points at which a process of LotWatch is killed or paused, at each of which a careless design would fail. */
export const failpoints = [
  'after-commit',
  'mid-match',
  'after-claim',
  'before-record',
  'source-claimed',
  'backfill',
  'push-claimed',
  'push-accepted',
] as const;
/** Those of a run for texts: the text is committed as 'sending' and not delivered; the provider has accepted it. */
export const textFailpoints = ['text-claimed', 'text-accepted'] as const;
export type Failpoint = (typeof failpoints)[number] | (typeof textFailpoints)[number];

/** Reached when the statement of this name is about to be sent. */
const onSend = new Map<string, Failpoint>([
  ['notify-sent', 'before-record'],
  ['pushes-complete', 'push-accepted'],
  ['complete-text', 'text-accepted'],
]);
/** Reached when the statement of this name has returned rows, inside its transaction. */
const onAnswer = new Map<string, Failpoint>([
  ['match-listings-fresh', 'mid-match'],
  ['match-listings-again', 'mid-match'],
]);
/** Reached when the statement of this name has written rows and they are committed. */
const onCommit = new Map<string, Failpoint>([
  ['insert-new-listings', 'after-commit'],
  ['update-changed-listings', 'after-commit'],
  ['note-seen-again', 'after-commit'],
  ['notify-claim', 'after-claim'],
  ['texts-claim', 'text-claimed'],
  ['pushes-claim', 'push-claimed'],
  ['claim-source', 'source-claimed'],
]);
const backfills = ['match-alerts-fresh', 'match-alerts-again'];

/** The failpoint that a process is at before it sends this statement. */
export function failpointBefore({ name, values }: Statement): Failpoint | null {
  // Those of a statement on shards are in a list of its own.
  return values.flat().includes('sent') ? (onSend.get(name) ?? null) : null;
}

interface Outcome {
  /** 'ROLLBACK' for the commit of a transaction that had failed. */
  command: string;
  rowCount: number | null;
}

/** The transaction of a connection, and the failpoint that its commit will reach. */
export interface Transaction {
  isOpen: boolean;
  onCommit: Failpoint | null;
}

/** The failpoint that a process is at now that this statement has succeeded. Keeps `transaction` up to date. */
export function failpointAfter(
  { name }: Statement,
  { command, rowCount }: Outcome,
  transaction: Transaction,
): Failpoint | null {
  if (command === 'BEGIN' || command === 'COMMIT' || command === 'ROLLBACK') {
    const reached = command === 'COMMIT' ? transaction.onCommit : null;
    Object.assign(transaction, { isOpen: command === 'BEGIN', onCommit: null });
    return reached;
  }
  if (backfills.includes(name)) return 'backfill';
  if ((rowCount ?? 0) === 0) return null;
  const committed = onCommit.get(name) ?? null;
  if (!transaction.isOpen && committed) return committed;
  transaction.onCommit ??= committed;
  return onAnswer.get(name) ?? null;
}

/** The setup of the hook in a process, as JSON in the variable `FAULTS_HOOK`. */
export interface HookSetup {
  /** 'worker-1/7' for the seventh process of worker-1. */
  process: string;
  /** The file in which it writes a `HookReport`. */
  report: string;
  /** The file in which it finds the `ArmedFailpoint`, while there is one. */
  armed: string;
  inject?: string;
}

/** The header of every request that a process sends, by which a provider knows the process. */
export const PROCESS_HEADER = 'x-faults-process';

/** The process kills or stops itself when it reaches the failpoint for the `nth` time from now on. */
export interface ArmedFailpoint {
  id: number;
  failpoint: Failpoint;
  nth: number;
  action: 'kill' | 'stop';
}

export interface HookReport {
  reached: Partial<Record<Failpoint, number>>;
  /** The armed failpoint at which it acted last, and when, in milliseconds since 1970. */
  done?: { id: number; at: number };
  /** The failpoint at which it killed itself. */
  killedAt?: Failpoint;
  /** How many statements the injected fault has changed. */
  injected: number;
}
