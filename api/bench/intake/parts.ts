import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ThrowAway } from '../../lab/throw-away.ts';
import { freePort } from '../../src/base/free-port.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const TICKS_A_SECOND = 100;
/** As the launcher starts it. */
const WORKER_HEAP = ['--max-semi-space-size=16', '--max-old-space-size=256'];

export const INGEST_TOKEN = 'the-ingest-token-of-the-benchmark';

/** What each part took of the processor, in seconds; `postgres` with all its backends. */
export interface CpuSeconds {
  api: number;
  worker: number;
  postgres: number;
  bench: number;
}

interface RunningParts {
  url: string;
  cpu(): CpuSeconds;
  /** The most that each had in memory, in MB. */
  peakMb(): { api: number; worker: number };
  stop(): Promise<void>;
}

/** After the name in brackets: state, parent, …, user and system time of itself and of its children that ended. */
function statOf(pid: number): { parent: number; own: number; ended: number } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const at = (index: number) => (fields[index] ?? 0) / TICKS_A_SECOND;
    return { parent: fields[1] ?? 0, own: at(11) + at(12), ended: at(13) + at(14) };
  } catch {
    return null;
  }
}

function cpuOfServer(postmaster: number): number {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statOf(Number(name)))
    .filter((stat) => stat?.parent === postmaster);
  const server = statOf(postmaster);
  return children.reduce((sum, child) => sum + (child?.own ?? 0), (server?.own ?? 0) + (server?.ended ?? 0));
}

function peakOf({ pid }: ChildProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}

/** The api and the worker, each a process of its own over the database, as an operator runs them apart. */
export async function startParts(db: ThrowAway): Promise<RunningParts> {
  const port = await freePort();
  const start = (role: 'api' | 'worker', flags: string[]): ChildProcess => {
    const child = spawn(process.execPath, [...flags, '--import', 'tsx', 'api/src/main.ts'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        NODE_OPTIONS: process.env.BENCH_NODE_OPTIONS,
        ROLE: role,
        PORT: String(port),
        DATABASE_URL: db.url,
        DATA_DIR: join(db.folder, 'data'),
        SESSION_SECRET: 'a secret of at least 32 characters, for the benchmark',
        DEMO_MARKETPLACE: 'off',
        RATE_LIMITS: 'off',
        INGEST_TOKEN,
      },
    });
    const log = createWriteStream(join(db.folder, `${role}.log`));
    child.stdout?.pipe(log, { end: false });
    child.stderr?.pipe(log, { end: false });
    return child;
  };
  const api = start('api', []);
  const worker = start('worker', WORKER_HEAP);
  const { rows } = await db.pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  const postmaster = statOf(rows[0]?.pid ?? 0)?.parent ?? 0;
  const url = `http://127.0.0.1:${port}`;

  const areListening = async () => {
    const found = await db.pool.query("select from pg_stat_activity where application_name = 'lotwatch-listener'");
    const health = await fetch(`${url}/healthz`).catch(() => null);
    return (found.rowCount ?? 0) >= 2 && health?.status === 200;
  };
  const deadline = performance.now() + 60_000;
  while (!(await areListening())) {
    if (performance.now() > deadline || api.exitCode !== null || worker.exitCode !== null) {
      for (const child of [api, worker]) child.kill('SIGKILL');
      throw new Error(`api or worker did not start: ${readFileSync(join(db.folder, 'api.log'), 'utf8')}`);
    }
    await sleep(100);
  }
  return {
    url,
    cpu() {
      const own = process.cpuUsage();
      return {
        api: statOf(api.pid ?? 0)?.own ?? 0,
        worker: statOf(worker.pid ?? 0)?.own ?? 0,
        postgres: cpuOfServer(postmaster),
        bench: (own.user + own.system) / 1e6,
      };
    },
    peakMb: () => ({ api: peakOf(api), worker: peakOf(worker) }),
    async stop() {
      await Promise.all(
        [api, worker].map(
          (child) =>
            new Promise<void>((settle) => {
              if (child.exitCode !== null || child.signalCode !== null) return settle();
              child.once('close', () => settle());
              child.kill('SIGTERM');
            }),
        ),
      );
    },
  };
}
