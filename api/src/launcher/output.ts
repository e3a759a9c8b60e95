import { closeSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';

/** Calls `onLine` with each whole line of a stream, and with the rest at its end. */
export function readLines(stream: Readable | null, onLine: (line: string) => void): void {
  let rest = '';
  stream?.setEncoding('utf8');
  stream?.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  });
  stream?.on('end', () => {
    if (rest !== '') onLine(rest);
  });
}

export interface Terminal {
  /** Shows that a step runs and, at its end, how long it took. */
  step<T>(name: string, work: () => Promise<T>, note?: (result: T) => string): Promise<T>;
  line(text: string): void;
  problem(text: string): void;
  /** Ends the spinner. */
  finish(): void;
}

const SPINNER = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';

const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`;

/** Writes the launcher's output for the operator, with colours and a spinner only on a terminal. */
export function openTerminal(stream: NodeJS.WriteStream): Terminal {
  const isTerminal = stream.isTTY === true && process.env.TERM !== 'dumb';
  const color = (code: number, text: string): string =>
    isTerminal && process.env.NO_COLOR === undefined ? `\u001b[${code}m${text}\u001b[0m` : text;
  const running = new Map<string, number>();
  let frame = 0;
  let ticker: NodeJS.Timeout | undefined;
  let shown = false;

  function write(text: string): void {
    if (shown) stream.write('\r\u001b[K');
    shown = false;
    stream.write(text);
  }
  function paint(): void {
    const oldest = [...running.values()][0];
    if (!isTerminal || oldest === undefined) return;
    frame += 1;
    const text = `  ${SPINNER[frame % SPINNER.length]} ${[...running.keys()].join(', ')} … ${seconds(oldest)}`;
    write(color(2, text.slice(0, (stream.columns ?? 80) - 1)));
    shown = true;
  }
  // A closed terminal must not end the server.
  stream.on('error', () => {});

  return {
    async step(name, work, note) {
      const since = performance.now();
      running.set(name, since);
      if (isTerminal) ticker ??= setInterval(paint, 100).unref();
      else stream.write(`  … ${name}\n`);
      try {
        const result = await work();
        const extra = note?.(result) ?? '';
        write(`  ${color(32, '✓')} ${name.padEnd(20)} ${seconds(since).padStart(7)}  ${color(2, extra)}`.trimEnd());
        stream.write('\n');
        return result;
      } catch (error) {
        write(`  ${color(31, '✗')} ${name.padEnd(20)} ${seconds(since).padStart(7)}\n`);
        throw error;
      } finally {
        running.delete(name);
        if (running.size === 0) {
          clearInterval(ticker);
          ticker = undefined;
        }
      }
    },
    line: (text) => write(`${text}\n`),
    problem: (text) => write(`${color(33, '!')} ${text}\n`),
    finish: () => {
      clearInterval(ticker);
      running.clear();
      write('');
    },
  };
}

const LIMIT_BYTES = 10_000_000;

interface LogFile {
  readonly path: string;
  write(line: string): void;
}

/** Appends lines to a file that only its owner can read; at 10 MB it is rotated to `….1`. */
function openLogFile(path: string, limitBytes = LIMIT_BYTES): LogFile {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  let file = openSync(path, 'a', 0o600);
  let size = fstatSync(file).size;
  return {
    path,
    write(line) {
      try {
        if (size > limitBytes) {
          closeSync(file);
          renameSync(path, `${path}.1`);
          file = openSync(path, 'a', 0o600);
          size = 0;
        }
        size += writeSync(file, `${line}\n`);
      } catch {
        // A full disk must not end the processes that log.
      }
    },
  };
}

/** Summarizes a warning or error of a part in one line; undefined for other lines, which go only to the file. */
function summarize(part: string, line: string): string | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const event = JSON.parse(line) as { level?: string; message?: string; error?: unknown };
    if (event.level !== 'warn' && event.level !== 'error') return undefined;
    const { error } = event;
    const cause = typeof error === 'object' && error !== null && 'message' in error ? error.message : error;
    return `${part}: ${event.message ?? line}${typeof cause === 'string' ? ` (${cause.split('\n')[0]})` : ''}`;
  } catch {
    return undefined;
  }
}

type LineSink = (line: string) => void;

/**
 * Writes the lines of each part to its own file, and warnings and errors to the terminal. In production every line goes
 * to the terminal, which a log collector reads.
 */
export function partLogs(folder: string, terminal: Terminal, everything: boolean): (part: string) => LineSink {
  return (part) => {
    const file = openLogFile(join(folder, 'logs', `${part}.log`));
    return (line) => {
      file.write(line);
      const short = everything ? line : summarize(part, line);
      if (everything) terminal.line(line.startsWith('{') ? line : `${part}: ${line}`);
      else if (short !== undefined) terminal.problem(short);
    };
  };
}
