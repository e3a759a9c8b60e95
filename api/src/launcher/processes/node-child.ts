import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readLines } from '../output.ts';
import { dieWithParent } from './die-with-parent.ts';
import { CannotRun, type Running } from './supervisor.ts';

const KEPT_LINES = 30;

/** The last lines of a part, and what they say about its end. */
interface LastLines {
  add(line: string): void;
  /** The end in one line, then the lines before it. */
  reason(how: string): string;
}

export function keepLastLines(): LastLines {
  let lines: string[] = [];
  return {
    add(line) {
      lines = [...lines, line].slice(-KEPT_LINES);
    },
    reason(how) {
      const telling = lines.filter((line) => line.trim() !== '' && !/^\s*at |^Node\.js v/.test(line));
      const cause = telling.findLast((line) => /error|fatal|panic/i.test(line)) ?? telling.at(-1);
      return [cause === undefined ? how : `${how}: ${cause.trim().slice(0, 300)}`, ...lines].join('\n    ');
    },
  };
}

export interface NodeChild {
  name: string;
  /** Node's arguments: the file, and what must come before it. */
  args: string[];
  env: Record<string, string | undefined>;
  /** What the child waits for before it begins; it loads its modules meanwhile. */
  orders?: Promise<Record<string, string>>;
  /** What it waits for when everything is prepared, before it opens its port. */
  mayListen?: Promise<void>;
  onLine(line: string): void;
  stopPatienceMs?: number;
}

/** What a child says to its launcher; the demo marketplace, which knows no launcher, says where it listens. */
export type ChildMessage =
  | { type: 'ready' }
  | { type: 'prepared' }
  | { type: 'cannot-run'; reason: string }
  | { listening: number };

/** Its waiting for `orders` and `mayListen` is not counted. */
const START_PATIENCE_MS = 60_000;
const STOP_PATIENCE_MS = 2000;
export const projectRoot = fileURLToPath(new URL('../../../..', import.meta.url));

/** Starts a Node process of our own kind, which ends with this one. Settles when it says `ready`. */
export async function startNodeChild(options: NodeChild, signal: AbortSignal): Promise<Running> {
  const [program = '', ...args] = [...dieWithParent('KILL'), process.execPath, ...options.args];
  // In a session of its own: Ctrl-C in the terminal reaches the launcher alone, which stops its children in order.
  const child = spawn(program, args, {
    env: { ...options.env, LOTWATCH_LAUNCHER: String(process.pid), LOTWATCH_PART: options.name },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  });
  const last = keepLastLines();
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
    const patience = sleep(options.stopPatienceMs ?? STOP_PATIENCE_MS, undefined, { ref: false });
    await Promise.race([ended, patience]);
    if (!hasEnded) child.kill('SIGKILL');
    await ended;
  };
  // Before it is ready there is nothing to finish.
  const kill = () => child.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });

  const tell = (message: object): void => {
    if (child.connected) child.send(message, () => {});
  };
  let patience: NodeJS.Timeout | undefined;
  const watch = () => {
    patience = setTimeout(kill, START_PATIENCE_MS);
  };
  const ready = new Promise<void>((resolve) => {
    child.on('message', (message: ChildMessage) => {
      if ('listening' in message || message.type === 'ready') resolve();
      else if (message.type === 'cannot-run') refused = message.reason;
      else {
        clearTimeout(patience);
        void options.mayListen?.then(() => {
          if (hasEnded) return;
          watch();
          tell({ type: 'listen' });
        });
      }
    });
  });
  if (options.orders) {
    const orders = await Promise.race([options.orders, ended]);
    if (typeof orders === 'object') tell({ type: 'go', env: orders });
  }
  watch();
  const end = await Promise.race([ready, ended]);
  clearTimeout(patience);
  signal.removeEventListener('abort', kill);
  if (typeof end === 'string') throw refused === undefined ? new Error(end) : new CannotRun(refused);
  return { ended, stop };
}
