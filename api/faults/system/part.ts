import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dieWithParent } from '../../src/launcher/processes/die-with-parent.ts';
import { projectRoot } from '../../src/launcher/processes/node-child.ts';
import type { Order, Plant, WatchReport, WatchSetup } from '../moments/moments.ts';

/** One process of LotWatch from its start to its end. */
export interface Life {
  part: string;
  number: number;
  pid: number;
  beganAt: number;
  endedAt?: number;
  /** 'SIGKILL', or the exit code in words. */
  how?: string;
  report?: WatchReport;
}

export interface PartOptions {
  name: string;
  folder: string;
  /** Node's arguments that run the part. */
  args: string[];
  plant: Plant | undefined;
  envFor(life: number): Record<string, string | undefined>;
  /** The first life, too, waits until a restart. */
  held?: boolean;
}

export interface Part {
  name: string;
  lives: Life[];
  /** Ends the life that is there as a power cut would; false when none is. */
  kill(): boolean;
  /** Stops the life that is there, and everything in it, as a host does that is paused; false when none is. */
  freeze(): boolean;
  /** Lets a stopped life go on, whoever stopped it. */
  thaw(): void;
  /**
   * Lets the process end or stop itself at a moment. @returns when it did, in milliseconds since 1970; null where it did
   * not reach it in that time
   */
  order(order: Omit<Order, 'id'>, patienceMs: number): Promise<number | null>;
  /** Ends it gently; settles when it has ended. The next life begins when that is called which it returns. */
  hold(): Promise<() => void>;
  /** Starts no further life, and ends the last one gently. */
  stop(): Promise<void>;
}

const preload = new URL('../moments/watch.ts', import.meta.url).href;
const AGAIN_MS = 100;
const LOOK_EVERY_MS = 25;
const STOP_MS = 4_000;
/** What is in hand is finished first; a slow provider takes its time. */
const HOLD_MS = 12_000;

function readReport(file: string): WatchReport | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as WatchReport;
  } catch {
    return undefined;
  }
}

let orders = 0;

/** Keeps one part running: whatever ends it, it is started again at once. */
export function keepPart(options: PartOptions): Part {
  const { name, folder, plant } = options;
  const log = openSync(join(folder, `${name}.log`), 'a');
  const ordersFile = join(folder, `${name}.order`);
  const reportFile = (life: number) => join(folder, `${name}-${life}.json`);
  const lives: Life[] = [];
  let stopping = false;
  let mayLive: Promise<void> = Promise.resolve();
  let release: (() => void) | undefined;
  const holdBack = () => {
    if (release) return;
    mayLive = new Promise((settle) => {
      release = () => {
        release = undefined;
        settle();
      };
    });
  };
  if (options.held) holdBack();
  let current: ReturnType<typeof spawn> | undefined;

  function live(): Promise<void> {
    const number = lives.length + 1;
    const setup: WatchSetup = { report: reportFile(number), orders: ordersFile, ...(plant && { plant }) };
    const [program = '', ...args] = [
      ...dieWithParent('KILL'),
      process.execPath,
      ...['--disable-warning=ExperimentalWarning', '--import', preload],
      ...options.args,
    ];
    const child = spawn(program, args, {
      cwd: projectRoot,
      stdio: ['ignore', log, log],
      env: {
        ...process.env,
        NODE_ENV: undefined,
        // Of many short lives most of the work would be compiling.
        NODE_COMPILE_CACHE: join(projectRoot, '.cache', 'compiled'),
        ...options.envFor(number),
        FAULTS_WATCH: JSON.stringify(setup),
      },
    });
    const life: Life = { part: name, number, pid: child.pid ?? 0, beganAt: Date.now() };
    lives.push(life);
    current = child;
    return new Promise((settle) => {
      child.once('close', (code, signal) => {
        current = undefined;
        life.endedAt = Date.now();
        life.how = signal ?? `exit ${code}`;
        const report = readReport(setup.report);
        if (report) life.report = report;
        settle();
      });
    });
  }

  async function keep(): Promise<void> {
    for (;;) {
      await mayLive;
      if (stopping) break;
      await live();
      if (!stopping) await sleep(AGAIN_MS);
    }
    closeSync(log);
  }

  async function endGently(patienceMs: number): Promise<void> {
    const child = current;
    if (!child) return;
    const ended = new Promise<void>((settle) => child.once('close', () => settle()));
    child.kill('SIGCONT');
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs);
    await ended;
    clearTimeout(timer);
  }

  const kept = keep();
  return {
    name,
    lives,
    kill: () => current?.kill('SIGKILL') ?? false,
    freeze: () => current?.kill('SIGSTOP') ?? false,
    thaw: () => void current?.kill('SIGCONT'),
    async order(asked, patienceMs) {
      orders += 1;
      const id = orders;
      const draft = `${ordersFile}.draft`;
      writeFileSync(draft, JSON.stringify({ id, ...asked } satisfies Order));
      renameSync(draft, ordersFile);
      const doneBy = (life: Life) => {
        const done = readReport(reportFile(life.number))?.done;
        return done?.id === id ? done.at : null;
      };
      // It may have been carried out by the life before the one that is there by now.
      const done = () => lives.slice(-2).reduce<number | null>((at, life) => at ?? doneBy(life), null);
      for (const end = Date.now() + patienceMs; Date.now() < end; await sleep(LOOK_EVERY_MS)) {
        const at = done();
        if (at !== null) return at;
      }
      rmSync(ordersFile, { force: true });
      await sleep(2 * LOOK_EVERY_MS);
      return done();
    },
    async hold() {
      holdBack();
      await endGently(HOLD_MS);
      return () => release?.();
    },
    async stop() {
      stopping = true;
      release?.();
      await endGently(STOP_MS);
      await kept;
    },
  };
}
