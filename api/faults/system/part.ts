import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { projectRoot } from '../../src/launcher/processes/node-child.ts';
import { dieWithParent } from '../../src/launcher/processes/os-processes.ts';
import type { ArmedFailpoint, HookReport, HookSetup } from '../failpoints/failpoints.ts';
import type { InjectedFaultName } from '../failpoints/injected-faults.ts';

/** One process of LotWatch from its start to its end. */
export interface Life {
  part: string;
  number: number;
  pid: number;
  beganAt: number;
  /** When it was told to shut down. */
  stoppedAt?: number;
  endedAt?: number;
  /** 'SIGKILL', or the exit code in words. */
  how?: string;
  report?: HookReport;
}

interface PartOptions {
  name: string;
  folder: string;
  /** Node's arguments that run the part; read at each start. */
  args(): readonly string[];
  inject: InjectedFaultName | undefined;
  envFor(life: number): Record<string, string | undefined>;
  /** It first starts with a restart. */
  held?: boolean;
  /** How long it may take to shut down, where that is longer than usual. */
  holdMs?: number;
}

export interface Part {
  name: string;
  lives: Life[];
  /** SIGKILL; false when no process runs. */
  kill(): boolean;
  /** SIGSTOP; false when no process runs. */
  freeze(): boolean;
  /** SIGCONT. */
  thaw(): void;
  /**
   * Lets the process kill or stop itself at a failpoint. @returns when it did, in milliseconds since 1970; null where it
   * did not reach the failpoint in time
   */
  arm(failpoint: Omit<ArmedFailpoint, 'id'>, timeoutMs: number): Promise<number | null>;
  /** Shuts it down. @returns a function that starts it again, once it has ended */
  hold(): Promise<() => void>;
  /** Shuts it down for good. */
  stop(): Promise<void>;
}

const preload = new URL('../failpoints/process-hook.ts', import.meta.url).href;
const RESTART_MS = 100;
const POLL_MS = 25;
const STOP_MS = 4_000;
/** A process finishes its work under way first, and the provider may be slow. */
const HOLD_MS = 12_000;

function readReport(file: string): HookReport | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as HookReport;
  } catch {
    return undefined;
  }
}

let armedIds = 0;

/** Keeps one process running: it is restarted at once, whatever ended it. */
export function superviseProcess(options: PartOptions): Part {
  const { name, folder, inject } = options;
  const log = openSync(join(folder, `${name}.log`), 'a');
  const armedFile = join(folder, `${name}.failpoint`);
  const reportFile = (life: number) => join(folder, `${name}-${life}.json`);
  const lives: Life[] = [];
  let stopping = false;
  let mayLive: Promise<void> = Promise.resolve();
  let release: (() => void) | undefined;
  const holdBack = () => {
    if (release) return;
    mayLive = new Promise((resolve) => {
      release = () => {
        release = undefined;
        resolve();
      };
    });
  };
  if (options.held) holdBack();
  let current: ReturnType<typeof spawn> | undefined;

  function live(): Promise<void> {
    const number = lives.length + 1;
    const setup: HookSetup = {
      process: `${name}/${number}`,
      report: reportFile(number),
      armed: armedFile,
      ...(inject && { inject }),
    };
    const [program = '', ...args] = [
      ...dieWithParent('KILL'),
      process.execPath,
      ...['--disable-warning=ExperimentalWarning', '--import', preload],
      ...options.args(),
    ];
    const child = spawn(program, args, {
      cwd: projectRoot,
      stdio: ['ignore', log, log],
      env: {
        ...process.env,
        NODE_ENV: undefined,
        // Without the cache the many short processes would spend most of their time compiling.
        NODE_COMPILE_CACHE: join(projectRoot, '.cache', 'compiled'),
        ...options.envFor(number),
        FAULTS_HOOK: JSON.stringify(setup),
      },
    });
    const life: Life = { part: name, number, pid: child.pid ?? 0, beganAt: Date.now() };
    lives.push(life);
    current = child;
    return new Promise((resolve) => {
      child.once('close', (code, signal) => {
        current = undefined;
        life.endedAt = Date.now();
        life.how = signal ?? `exit ${code}`;
        const report = readReport(setup.report);
        if (report) life.report = report;
        resolve();
      });
    });
  }

  async function keep(): Promise<void> {
    for (;;) {
      await mayLive;
      if (stopping) break;
      await live();
      if (!stopping) await sleep(RESTART_MS);
    }
    closeSync(log);
  }

  async function endGently(timeoutMs: number): Promise<void> {
    const child = current;
    if (!child) return;
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
    const life = lives.at(-1);
    if (life) life.stoppedAt = Date.now();
    child.kill('SIGCONT');
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
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
    async arm(failpoint, timeoutMs) {
      armedIds += 1;
      const id = armedIds;
      const draft = `${armedFile}.draft`;
      writeFileSync(draft, JSON.stringify({ id, ...failpoint } satisfies ArmedFailpoint));
      renameSync(draft, armedFile);
      const doneBy = (life: Life) => {
        const done = readReport(reportFile(life.number))?.done;
        return done?.id === id ? done.at : null;
      };
      // The process that did it may have been replaced by now.
      const done = () => lives.slice(-2).reduce<number | null>((at, life) => at ?? doneBy(life), null);
      for (const end = Date.now() + timeoutMs; Date.now() < end; await sleep(POLL_MS)) {
        const at = done();
        if (at !== null) return at;
      }
      rmSync(armedFile, { force: true });
      await sleep(2 * POLL_MS);
      return done();
    },
    async hold() {
      holdBack();
      await endGently(options.holdMs ?? HOLD_MS);
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
