import type { Pool } from '../base/database.ts';
import type { Log } from '../base/log.ts';
import { noteSecurityEvent } from '../base/security-events.ts';
import { renewBoxes, type SealedColumns } from '../entities/shared/renew-boxes.ts';
import type { Job } from './job.ts';

const HOUR_MS = 3_600_000;

interface RenewParts {
  pool: Pool;
  log: Log;
  signal: AbortSignal;
  /** Everything that is encrypted at rest. */
  sealed: readonly SealedColumns[];
  /** Whether secrets are set beside the newest; without them there is nothing to do. */
  hasFormer: boolean;
}

/**
 * Encrypts again what was encrypted with a former SESSION_SECRET, and logs when that is not needed any more. It runs each
 * hour, as a process that does not know the newest secret may still have written.
 */
export const renewSecretsJob: Job<RenewParts> = {
  name: 'renew-secrets',
  everyMs: HOUR_MS,
  async run({ pool, log, signal, sealed, hasFormer }) {
    if (!hasFormer) return undefined;
    const { renewed, unreadable } = await renewBoxes(pool, sealed, signal);
    if (renewed > 0) noteSecurityEvent(log, 'secrets.renewed', { renewed, unreadable });
    if (unreadable > 0) log.warn('secrets at rest that no known SESSION_SECRET opens', { unreadable });
    if (renewed === 0 && !signal.aborted) log.info('no secret at rest needs SESSION_SECRET_FORMER');
    return undefined;
  },
};
