import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import pg from 'pg';
import {
  type Doing,
  type Moment,
  momentAfter,
  momentBefore,
  newDoing,
  noMoments,
  type Order,
  type Statement,
  type WatchReport,
  type WatchSetup,
} from './moments.ts';
import { planted } from './plants.ts';

/*
 * Loaded into a process of LotWatch before anything else (`node --import`). It looks at what the client of PostgreSQL
 * sends and gets, and ends the process at one exact point, as the machine's plug would, or stops it there, as a host
 * does that is paused. The program knows nothing of it.
 */

type Query = (this: pg.Client, ...args: unknown[]) => unknown;
type Callback = (error: Error | null, result: pg.QueryResult) => void;

const setup = JSON.parse(process.env.FAULTS_WATCH ?? '{}') as WatchSetup;
const defect = setup.plant === undefined ? {} : planted[setup.plant];
const report: WatchReport = {
  reached: noMoments(),
  planted: 0,
};
const LOOK_EVERY_MS = 40;
const STOPS_WITHIN_MS = 50;
let order: Order | undefined;
let counted = 0;
const write = () => writeFileSync(setup.report, JSON.stringify(report));

function readOrder(): void {
  if (!existsSync(setup.orders)) {
    order = undefined;
    return;
  }
  try {
    const next = JSON.parse(readFileSync(setup.orders, 'utf8')) as Order;
    if (next.id !== order?.id) counted = 0;
    order = next;
  } catch {
    // It was taken back in between.
  }
}

function carryOut({ id, moment, does }: Order): void {
  order = undefined;
  // The next life must not find it.
  rmSync(setup.orders, { force: true });
  report.done = { id, at: Date.now() };
  if (does === 'kill') report.killedAt = moment;
  write();
  process.kill(process.pid, does === 'kill' ? 'SIGKILL' : 'SIGSTOP');
  // The signal may reach another thread first: nothing more is done here before it has come.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STOPS_WITHIN_MS);
}

function reached(moment: Moment | null): void {
  if (moment === null) return;
  report.reached[moment] += 1;
  if (order?.moment !== moment) return;
  counted += 1;
  if (counted >= order.nth) carryOut(order);
}

function readStatement(args: unknown[]): Statement | null {
  const [first, second] = args;
  const values = Array.isArray(second) ? second : [];
  if (typeof first === 'string') return { name: '', text: first, values };
  if (typeof first !== 'object' || first === null || 'submit' in first || !('text' in first)) return null;
  const { name = '', text, values: own = values } = first as { name?: string; text: string; values?: unknown[] };
  return { name, text, values: own };
}

function withText(first: unknown, text: string): unknown {
  return typeof first === 'string' ? text : { ...(first as object), text };
}

const query = pg.Client.prototype.query as Query;
const doings = new WeakMap<pg.Client, Doing>();

pg.Client.prototype.query = function watched(this: pg.Client, ...args: unknown[]): unknown {
  const statement = readStatement(args);
  if (!statement) return query.apply(this, args);
  const doing = doings.get(this) ?? newDoing();
  doings.set(this, doing);
  reached(momentBefore(statement));
  const rewritten = defect.rewrite?.(statement) ?? null;
  if (rewritten !== null) {
    report.planted += 1;
    args[0] = withText(args[0], rewritten);
  }
  const run = (text: string, values: readonly unknown[] = []) =>
    query.call(this, text, values) as Promise<{ rows: { id: number }[] }>;
  const done = async (result: pg.QueryResult) => {
    if (defect.follow?.applies(statement) && result.rows.length > 0) {
      report.planted += 1;
      const sent = { ...statement, text: rewritten ?? statement.text };
      await defect.follow.run(run, sent, result.rows as { id: number }[]);
    }
    reached(momentAfter(statement, result, doing));
    return result;
  };
  const last = args.length - 1;
  const callback = args[last];
  if (typeof callback !== 'function') return (query.apply(this, args) as Promise<pg.QueryResult>).then(done);
  args[last] = (error: Error | null, result: pg.QueryResult) => {
    if (error) (callback as Callback)(error, result);
    else if (!defect.follow?.applies(statement)) {
      reached(momentAfter(statement, result, doing));
      (callback as Callback)(error, result);
    } else void done(result).finally(() => (callback as Callback)(error, result));
  };
  return query.apply(this, args);
} as typeof pg.Client.prototype.query;

setInterval(write, 300).unref();
readOrder();
setInterval(readOrder, LOOK_EVERY_MS).unref();
