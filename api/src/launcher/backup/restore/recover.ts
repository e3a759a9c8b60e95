import { freePort } from '../../../base/free-port.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../postgres/embedded-postgres.ts';

/** Replaying a day of a busy server's log takes minutes. */
const TIMEOUT_MS = 12 * 3_600_000;

export interface Recovery {
  /** The cluster's folder. */
  dir: string;
  timeline: number;
  /** Undefined: to the end of the log. */
  to: Date | undefined;
  /** false for a cluster that is only read. */
  durable: boolean;
  onLine(line: string): void;
}

/**
 * Starts a server on an unpacked cluster, which replays the log to a moment and then begins a timeline of its own.
 * @throws Error with a message for the operator
 */
export async function recover({ dir, timeline, to, durable, onLine }: Recovery): Promise<EmbeddedPostgres> {
  // PostgreSQL does not know the Z here.
  const moment = to?.toISOString().replace('Z', '+00');
  const target = to === undefined ? [] : [`recovery_target_time=${moment}`, 'recovery_target_action=promote'];
  try {
    return await startEmbeddedPostgres({
      dir,
      port: await freePort(),
      durable,
      startTimeoutMs: TIMEOUT_MS,
      extraOptions: [
        // All of the log is in pg_wal.
        'restore_command=false',
        `recovery_target_timeline=${timeline}`,
        ...target,
        'hot_standby=off',
        'log_startup_progress_interval=2s',
        'autovacuum=off',
      ],
      onLine,
    });
  } catch (error) {
    if (!String(error).includes('recovery ended before configured recovery target')) throw error;
    throw new Error(`The log ends before ${to?.toISOString()}. Without --to the last moment that it has is restored.`, {
      cause: error,
    });
  }
}
