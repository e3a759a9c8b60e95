import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { memoryEnvironment } from '../memory-limits.ts';
import { readLines } from '../output.ts';
import { dieWithParent } from './os-processes.ts';
import { CannotRun, type Running } from './supervisor.ts';

const MAX_LINES = 30;

/** The last lines of a part's output, which explain its exit. */
interface LastLines {
  add(line: string): void;
  /** The reason of the exit in one line, then the last lines. */
  reason(how: string): string;
}

export function collectLastLines(): LastLines {
  let lines: string[] = [];
  return {
    add(line) {
      lines = [...lines, line].slice(-MAX_LINES);
    },
    reason(how) {
      const relevant = lines.filter((line) => line.trim() !== '' && !/^\s*at |^Node\.js v/.test(line));
      const cause = relevant.findLast((line) => /error|fatal|panic/i.test(line)) ?? relevant.at(-1);
      return [cause === undefined ? how : `${how}: ${cause.trim().slice(0, 300)}`, ...lines].join('\n    ');
    },
  };
}

export interface NodeChild {
  name: string;
  /** Node's arguments: options and the file. */
  args: string[];
  env: Record<string, string | undefined>;
  /** The part of its environment for which the child waits, while it loads its modules. */
  bootConfiguration?: Promise<Record<string, string>>;
  /** Resolved when the child, which has prepared everything else, may open its port. */
  mayListen?: Promise<void>;
  onLine(line: string): void;
  stopTimeoutMs?: number;
}

/** Messages of a child to its launcher. The demo marketplace, which knows no launcher, sends only its port. */
export type ChildMessage =
  | { type: 'ready' }
  | { type: 'prepared' }
  /** It waits for something that may be away for long: the time for its start begins again. */
  | { type: 'waiting' }
  | { type: 'cannot-run'; reason: string }
  | { listening: number };

/** Without the time for which it waits for `bootConfiguration` and `mayListen`. */
const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 2000;
export const projectRoot = fileURLToPath(new URL('../../../..', import.meta.url));

/** Starts a Node process that ends with this one. Resolves when it sends `ready`. */
export async function startNodeChild(options: NodeChild, signal: AbortSignal): Promise<Running> {
  const [program = '', ...args] = [...dieWithParent('KILL'), process.execPath, ...options.args];
  // In a session of its own, so that Ctrl-C reaches only the launcher, which stops its child processes in order.
  const child = spawn(program, args, {
    env: { ...memoryEnvironment, ...options.env, LOTWATCH_LAUNCHER: String(process.pid), LOTWATCH_PART: options.name },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  });
  const last = collectLastLines();
  readLines(child.stdout, options.onLine);
  readLines(child.stderr, (line) => {
    last.add(line);
    options.onLine(line);
  });

  let hasEnded = false;
  let refused: string | undefined;
  const ended = new Promise<string>((resolve) => {
    const end = (how: string) => {
      hasEnded = true;
      resolve(last.reason(how));
    };
    child.once('error', (error) => end(error.message));
    child.once('close', (code, killedBy) => end(killedBy ? `ended by ${killedBy}` : `ended with exit code ${code}`));
  });
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    const timeout = sleep(options.stopTimeoutMs ?? STOP_TIMEOUT_MS, undefined, { ref: false });
    await Promise.race([ended, timeout]);
    if (!hasEnded) child.kill('SIGKILL');
    await ended;
  };
  // Until it is ready, it has nothing to finish.
  const kill = () => child.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });

  const send = (message: object): void => {
    if (child.connected) child.send(message, () => {});
  };
  let timeout: NodeJS.Timeout | undefined;
  const watch = () => {
    clearTimeout(timeout);
    timeout = setTimeout(kill, START_TIMEOUT_MS);
  };
  const ready = new Promise<void>((resolve) => {
    child.on('message', (message: ChildMessage) => {
      if ('listening' in message || message.type === 'ready') resolve();
      else if (message.type === 'cannot-run') refused = message.reason;
      else if (message.type === 'waiting') watch();
      else {
        clearTimeout(timeout);
        void options.mayListen?.then(() => {
          if (hasEnded) return;
          watch();
          send({ type: 'listen' });
        });
      }
    });
  });
  if (options.bootConfiguration) {
    const received = await Promise.race([options.bootConfiguration, ended]);
    if (typeof received === 'object') send({ type: 'boot', env: received });
  }
  watch();
  const end = await Promise.race([ready, ended]);
  clearTimeout(timeout);
  signal.removeEventListener('abort', kill);
  if (typeof end === 'string') throw refused === undefined ? new Error(end) : new CannotRun(refused);
  return { ended, stop };
}
