import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dieWithParent } from '../../src/launcher/processes/die-with-parent.ts';
import { projectRoot } from '../../src/launcher/processes/node-child.ts';
import type { WatchOrders, WatchReport } from '../moments/moments.ts';

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
  /** What each life is to do and where; called at every start. */
  ordersFor(): Pick<WatchOrders, 'kill' | 'plant'>;
  envFor(life: number): Record<string, string | undefined>;
  onEnd(life: Life): void;
  /** The first life, too, waits until a pause is over. */
  held?: boolean;
}

export interface Part {
  name: string;
  lives: Life[];
  /** Ends the life that is there as a power cut would; false when none is. */
  kill(): boolean;
  /** Ends it gently; settles when it has ended. The next life begins when that is called which it returns. */
  pause(): Promise<() => void>;
  /** Starts no further life, and ends the last one gently. */
  stop(): Promise<void>;
}

const preload = new URL('../moments/watch.ts', import.meta.url).href;
const AGAIN_MS = 100;
const STOP_MS = 4_000;
/** What is in hand is finished first; a slow provider takes its time. */
const PAUSE_MS = 12_000;

function readReport(file: string): WatchReport | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as WatchReport;
  } catch {
    return undefined;
  }
}

/** Keeps one part running: whatever ends it, it is started again at once. */
export function keepPart(options: PartOptions): Part {
  const { name, folder } = options;
  const log = openSync(join(folder, `${name}.log`), 'a');
  const lives: Life[] = [];
  let stopping = false;
  let mayLive: Promise<void> = Promise.resolve();
  let release: (() => void) | undefined;
  const hold = () => {
    if (release) return;
    mayLive = new Promise((settle) => {
      release = () => {
        release = undefined;
        settle();
      };
    });
  };
  if (options.held) hold();
  let current: ReturnType<typeof spawn> | undefined;

  function live(): Promise<void> {
    const number = lives.length + 1;
    const file = join(folder, `${name}-${number}.json`);
    const orders: WatchOrders = { file, ...options.ordersFor() };
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
        FAULTS_WATCH: JSON.stringify(orders),
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
        const report = readReport(file);
        if (report) life.report = report;
        options.onEnd(life);
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

  const kept = keep();
  return {
    name,
    lives,
    kill: () => current?.kill('SIGKILL') ?? false,
    async pause() {
      hold();
      const child = current;
      const ended = new Promise<void>((settle) => (child ? child.once('close', () => settle()) : settle()));
      child?.kill('SIGTERM');
      const timer = setTimeout(() => child?.kill('SIGKILL'), PAUSE_MS);
      await ended;
      clearTimeout(timer);
      return () => release?.();
    },
    async stop() {
      stopping = true;
      release?.();
      const child = current;
      child?.kill('SIGTERM');
      const timer = setTimeout(() => child?.kill('SIGKILL'), STOP_MS);
      await kept;
      clearTimeout(timer);
    },
  };
}
