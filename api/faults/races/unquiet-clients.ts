import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** A statement on its way to the database. */
export interface Statement {
  text: string;
  values: unknown[];
}

export interface Unrest {
  random: () => number;
  /** Changes a statement, or returns it as it is. */
  rewrite(statement: Statement): Statement;
}

/** Clients of this name are left alone: they judge. */
export const JUDGE = 'race-judge';

const SHORT_PAUSE = { chance: 0.12, ms: 4 };
const LONG_PAUSE = { chance: 0.006, ms: 25 };

type Query = (this: pg.Client, ...values: unknown[]) => unknown;
type Named = Statement & { name?: string };

function readCall(first: unknown, second: unknown): Named | null {
  if (typeof first === 'string') return { text: first, values: Array.isArray(second) ? second : [] };
  const config = first as Partial<Named> & { submit?: unknown };
  if (config.submit !== undefined || typeof config.text !== 'string') return null;
  return { ...config, text: config.text, values: config.values ?? (Array.isArray(second) ? second : []) };
}

/**
 * Lets every client of this process wait now and then before a statement, so that others come between two statements
 * of a transaction, and passes each statement through `rewrite`. Returns what undoes it.
 */
export function disturbClients({ random, rewrite }: Unrest): () => void {
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const query = prototype.query;
  /** The last statement of each client that waits to be sent: those behind it keep their order. */
  const held = new WeakMap<object, Promise<unknown>>();

  function pauseMs(): number {
    const lot = random();
    if (lot < LONG_PAUSE.chance) return random() * LONG_PAUSE.ms;
    return lot < LONG_PAUSE.chance + SHORT_PAUSE.chance ? random() * SHORT_PAUSE.ms : 0;
  }

  prototype.query = function disturbed(this: pg.Client, ...values: unknown[]) {
    const { application_name } = (this as unknown as { connectionParameters: { application_name?: string } })
      .connectionParameters;
    const call = application_name === JUDGE ? null : readCall(values[0], values[1]);
    if (!call) return query.apply(this, values);
    const changed = { ...call, ...rewrite(call) };
    const callback = values.find((value) => typeof value === 'function');
    const send = () => query.call(this, changed, ...(callback ? [callback] : []));
    const ms = pauseMs();
    const before = held.get(this);
    if (ms === 0 && !before) return send();
    const answer = Promise.resolve(before)
      .then(() => sleep(ms))
      .then(() => ({ answer: send() }));
    held.set(this, answer);
    void answer.then(() => {
      if (held.get(this) === answer) held.delete(this);
    });
    return callback ? undefined : answer.then((sent) => sent.answer);
  };
  return () => {
    prototype.query = query;
  };
}
