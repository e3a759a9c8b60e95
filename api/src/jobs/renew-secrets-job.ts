import type { Pool } from '../base/database.ts';
import type { Log } from '../base/log.ts';
import { noteSecurityEvent } from '../base/security-events.ts';
import { renewBoxes, type SealedColumns } from '../entities/shared/renew-boxes.ts';
import type { Job } from './schedule/runner.ts';

const HOUR_MS = 3_600_000;

export interface RenewParts {
  pool: Pool;
  log: Log;
  signal: AbortSignal;
  /** Everything that is encrypted at rest. */
  sealed: readonly SealedColumns[];
  /** Whether secrets are set beside the newest; without them there is nothing to do. */
  hasFormer: boolean;
}

/**
 * Encrypts anew what lies under a former SESSION_SECRET, and says when that is needed no more. Each hour, as a process
 * that does not know the new one may still have written.
 */
export function renewSecretsJob({ pool, log, signal, sealed, hasFormer }: RenewParts): Job {
  return {
    name: 'renew-secrets',
    everyMs: HOUR_MS,
    async run() {
      if (!hasFormer) return undefined;
      const { renewed, unreadable } = await renewBoxes(pool, sealed, signal);
      if (renewed > 0) noteSecurityEvent(log, 'secrets.renewed', { renewed, unreadable });
      if (unreadable > 0) log.warn('secrets at rest that no known SESSION_SECRET opens', { unreadable });
      if (renewed === 0 && !signal.aborted) log.info('no secret at rest needs SESSION_SECRET_FORMER');
      return undefined;
    },
  };
}
