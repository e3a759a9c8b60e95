import { totalmem } from 'node:os';

const MEGABYTE = 1024 ** 2;
const LEAST_BUFFERS_MB = 128;
const MOST_BUFFERS_MB = 2_048;

/** What this process may use: of the machine, or of the container around it. In bytes. */
export function usableMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/**
 * Settings of a server that keeps what it is told, for so much memory. The hot indexes stay in its buffers; it writes
 * them out every quarter of an hour, or after 2 GB of log, as each page's first change after that is logged whole. A crash is
 * recovered from by reading that log.
 */
export function durableSettings(memoryBytes: number): string[] {
  const quarterMb = Math.floor(memoryBytes / 4 / MEGABYTE);
  const buffersMb = Math.min(MOST_BUFFERS_MB, Math.max(LEAST_BUFFERS_MB, quarterMb));
  return [
    'fsync=on',
    'synchronous_commit=on',
    'full_page_writes=on',
    `shared_buffers=${buffersMb}MB`,
    'max_wal_size=2GB',
    'min_wal_size=256MB',
    'checkpoint_timeout=15min',
    'work_mem=16MB',
    'jit=off',
  ];
}

/**
 * Keeps what people gave out of the server's log, also where an operator lets it log durations: values of statements,
 * and the DETAIL of an error, which quotes rows. Statements stand in it with `$1` in the place of values.
 */
export const discreetLog = [
  'log_statement=none',
  'log_parameter_max_length=0',
  'log_parameter_max_length_on_error=0',
  'log_min_error_statement=panic',
  'log_error_verbosity=terse',
];
