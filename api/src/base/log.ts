import { type LoggerOptions, pino } from 'pino';
import { printable } from './printable.ts';
import { currentRequestId } from './request-id.ts';

export type LogFields = Record<string, unknown>;

export interface Log {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** An error's further fields are left out: one of the database quotes rows, which may hold an address. */
function plain(value: unknown): unknown {
  if (value instanceof Error) return { name: value.name, message: value.message, stack: value.stack };
  return value;
}

const options = {
  messageKey: 'message',
  timestamp: () => `,"at":"${new Date().toISOString()}"`,
  formatters: {
    level: (level) => ({ level }),
    log: (fields) => Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, plain(value)])),
  },
  mixin: () => {
    const requestId = currentRequestId();
    return requestId === null ? {} : { requestId };
  },
  // Without this pino would show a field of this name in a shape of its own.
  serializers: { err: (value: unknown) => value },
} satisfies LoggerOptions;

/**
 * Makes a log that writes an event as one line of JSON to stderr: `{level, at, part, …fields, message}`,
 * with the field `requestId` while it is for a request, an operation or a job run.
 * @param part which part of LotWatch writes
 */
export function makeLog(part: string, write: (line: string) => void = (line) => process.stderr.write(line)): Log {
  const logger = pino({ ...options, base: { part } }, { write: (line) => write(printable(line)) });
  return {
    info: (message, fields = {}) => logger.info(fields, message),
    warn: (message, fields = {}) => logger.warn(fields, message),
    error: (message, fields = {}) => logger.error(fields, message),
  };
}

export const silentLog: Log = { info() {}, warn() {}, error() {} };
