import { printable } from './printable.ts';

export type LogFields = Record<string, unknown>;

export interface Log {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

function plain(value: unknown): unknown {
  if (value instanceof Error) return { name: value.name, message: value.message, stack: value.stack };
  return value;
}

/** One JSON line an event on stderr: `{at, level, part, message, …fields}`. */
export function makeLog(part: string, write: (line: string) => void = (line) => process.stderr.write(line)): Log {
  const emit = (level: string, message: string, fields: LogFields = {}) => {
    const shown = Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, plain(value)]));
    write(`${printable(JSON.stringify({ at: new Date().toISOString(), level, part, message, ...shown }))}\n`);
  };
  return {
    info: (message, fields) => emit('info', message, fields),
    warn: (message, fields) => emit('warn', message, fields),
    error: (message, fields) => emit('error', message, fields),
  };
}

export const silentLog: Log = { info() {}, warn() {}, error() {} };
