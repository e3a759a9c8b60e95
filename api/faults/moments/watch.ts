import { writeFileSync } from 'node:fs';
import pg from 'pg';
import {
  type Doing,
  type Moment,
  momentAfter,
  momentBefore,
  newDoing,
  noMoments,
  type Statement,
  type WatchOrders,
  type WatchReport,
} from './moments.ts';
import { planted } from './plants.ts';

/*
 * Loaded into a process of LotWatch before anything else (`node --import`). It looks at what the client of PostgreSQL
 * sends and gets, and ends the process at one exact point, as the machine's plug would. The program knows nothing of it.
 */

type Query = (this: pg.Client, ...args: unknown[]) => unknown;
type Callback = (error: Error | null, result: pg.QueryResult) => void;

const orders = JSON.parse(process.env.FAULTS_WATCH ?? '{}') as WatchOrders;
const defect = orders.plant === undefined ? {} : planted[orders.plant];
const report: WatchReport = {
  reached: noMoments(),
  planted: 0,
};
let counted = 0;
const write = () => writeFileSync(orders.file, JSON.stringify(report));

function reached(moment: Moment | null): void {
  if (moment === null) return;
  report.reached[moment] += 1;
  const { kill } = orders;
  if (kill?.moment !== moment || process.uptime() * 1_000 < kill.afterMs) return;
  counted += 1;
  if (counted < kill.nth) return;
  report.killedAt = moment;
  write();
  process.kill(process.pid, 'SIGKILL');
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
  const last = args.length - 1;
  const callback = args[last];
  if (typeof callback === 'function') {
    args[last] = (error: Error | null, result: pg.QueryResult) => {
      if (!error) reached(momentAfter(statement, result, doing));
      (callback as Callback)(error, result);
    };
    return query.apply(this, args);
  }
  const run = (text: string, values: readonly unknown[] = []) =>
    query.call(this, text, values) as Promise<{ rows: { id: number }[] }>;
  return (query.apply(this, args) as Promise<pg.QueryResult>).then(async (result) => {
    if (defect.follow?.applies(statement) && result.rows.length > 0) {
      report.planted += 1;
      await defect.follow.run(
        run,
        { ...statement, text: rewritten ?? statement.text },
        result.rows as { id: number }[],
      );
    }
    reached(momentAfter(statement, result, doing));
    return result;
  });
} as typeof pg.Client.prototype.query;

setInterval(write, 300).unref();
