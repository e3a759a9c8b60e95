import { subscribe } from 'node:diagnostics_channel';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { ClientRequest } from 'node:http';
import type { Client } from 'pg';
import { interceptAllClients } from '../../lab/intercept-statements.ts';
import {
  type ArmedFailpoint,
  type Failpoint,
  failpointAfter,
  failpointBefore,
  type HookReport,
  type HookSetup,
  PROCESS_HEADER,
  type Transaction,
} from './failpoints.ts';
import { injectFault } from './inject-fault.ts';
import { type InjectedFaultName, injectedFaults } from './injected-faults.ts';

/*
 * Loaded into a process of LotWatch before anything else (`node --import`). It follows the named statements that the
 * client of PostgreSQL sends, and kills or stops the process at exactly the failpoint that is armed. Its HTTP requests carry its
 * name.
 */

const setup = JSON.parse(process.env.FAULTS_HOOK ?? '{}') as HookSetup;
const report: HookReport = { reached: {}, injected: 0 };
const POLL_MS = 40;
const WRITE_EVERY_MS = 300;
const STOPS_WITHIN_MS = 50;
let armed: ArmedFailpoint | undefined;
let times = 0;
const write = () => writeFileSync(setup.report, JSON.stringify(report));

function readArmed(): void {
  if (!existsSync(setup.armed)) {
    armed = undefined;
    return;
  }
  try {
    const next = JSON.parse(readFileSync(setup.armed, 'utf8')) as ArmedFailpoint;
    if (next.id !== armed?.id) times = 0;
    armed = next;
  } catch {
    // It was disarmed in between.
  }
}

function act({ id, failpoint, action }: ArmedFailpoint): void {
  armed = undefined;
  // The next process must not find the armed failpoint.
  rmSync(setup.armed, { force: true });
  report.done = { id, at: Date.now() };
  if (action === 'kill') report.killedAt = failpoint;
  write();
  process.kill(process.pid, action === 'kill' ? 'SIGKILL' : 'SIGSTOP');
  // The signal may reach another thread first, so this thread waits for it.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STOPS_WITHIN_MS);
}

function reach(failpoint: Failpoint | null): void {
  if (failpoint === null) return;
  report.reached[failpoint] = (report.reached[failpoint] ?? 0) + 1;
  if (armed?.failpoint !== failpoint) return;
  times += 1;
  if (times >= armed.nth) act(armed);
}

const transactions = new WeakMap<Client, Transaction>();
const inject = injectFault(setup.inject ? injectedFaults[setup.inject as InjectedFaultName] : {}, () => {
  report.injected += 1;
});

interceptAllClients(async (client, statement, send) => {
  const transaction = transactions.get(client) ?? { isOpen: false, onCommit: null };
  transactions.set(client, transaction);
  reach(failpointBefore(statement));
  const result = await inject(client, statement, send);
  // A text of several statements has a result for each.
  const [outcome = result] = [result].flat();
  reach(failpointAfter(statement, outcome, transaction));
  return result;
});

subscribe('http.client.request.created', (message) => {
  const { request } = message as { request: ClientRequest };
  if (!request.headersSent) request.setHeader(PROCESS_HEADER, setup.process);
});

setInterval(write, WRITE_EVERY_MS).unref();
readArmed();
setInterval(readArmed, POLL_MS).unref();
