import { join } from 'node:path';
import { openLogFile } from './log-file.ts';
import type { Terminal } from './terminal.ts';

/** A warning or an error of ours in one line; undefined for everything that only belongs in the file. */
function inShort(part: string, line: string): string | undefined {
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

export type LineSink = (line: string) => void;

/**
 * Where the lines of the parts go: each part's into its own file; on the terminal warnings and errors only,
 * but in production every line, because there the terminal is what a log collector reads.
 */
export function partLogs(folder: string, terminal: Terminal, everything: boolean): (part: string) => LineSink {
  return (part) => {
    const file = openLogFile(join(folder, 'logs', `${part}.log`));
    return (line) => {
      file.write(line);
      const short = everything ? line : inShort(part, line);
      if (everything) terminal.line(line.startsWith('{') ? line : `${part}: ${line}`);
      else if (short !== undefined) terminal.problem(short);
    };
  };
}
