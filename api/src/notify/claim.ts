import type { Pool } from '../base/database.ts';
import type { Log } from '../base/log.ts';
import type { ChannelName } from '../entities/delivery-channels.ts';
import { isolateFaults } from './batches.ts';

/** `isDone`: nothing else is due. */
export interface Claimed<C> {
  claims: C[];
  isDone: boolean;
}

/** Begins a transaction that claims messages. It fails where none may be claimed, see `isNotSendable`. */
export const beginClaim = (channel: ChannelName): string => `begin; select require_sendable('${channel}')`;

const FIRST_BATCH = 50;
const MIN_BATCH = 8;
const MAX_BATCH = 200;

/** Adapts the size of a batch to what the workers deliver before the validation of its messages is stale. */
export function makeBatchSize() {
  let size = FIRST_BATCH;
  let wasTooLarge = false;
  return {
    /** To be called when a claimed message had to wait for too long. */
    tooLarge() {
      wasTooLarge = true;
    },
    /** @param isWaiting whether claimed messages still wait for a worker */
    next(isWaiting: boolean): number {
      if (wasTooLarge) size = Math.max(MIN_BATCH, size >> 1);
      else if (!isWaiting) size = Math.min(MAX_BATCH, size * 2);
      wasTooLarge = false;
      return size;
    },
  };
}

/** How long alerts are skipped that are locked, or that matching is about to evaluate. */
export const SOON_MS = 250;
/** How long an alert is skipped whose rows can't be handled. */
const TROUBLE_MS = 60_000;
/** How long a list of due alerts is used before it is read again, in its current order. */
const FOUND_MS = 1_000;

export interface DueAlert {
  alertId: number;
  userId: number;
}

/** The alerts of one channel that a process may claim for. */
export interface DueAlerts {
  /** Takes due alerts that are not known to be locked; none where nothing is due. */
  take(limit: number, mayTake?: (alert: DueAlert) => boolean): Promise<DueAlert[]>;
  /** Claims the rows of alerts. An alert whose rows can't be handled is deferred, and does not affect the others. */
  claim<C>(
    alerts: readonly DueAlert[],
    claimAll: (some: readonly DueAlert[]) => Promise<{ claims: C[]; busy: readonly number[] }>,
  ): Promise<C[]>;
  /** Milliseconds before which no alert that was skipped is claimed. */
  readonly soonestMs: number;
}

/**
 * Keeps the alerts that were found due until they are claimed, and skips those for a short time that can't be claimed now.
 * @param find reads due alerts, without the skipped ones @param defer defers the rows of an alert by milliseconds
 */
export function makeDueAlerts(parts: {
  pool: Pool;
  log: Log;
  find(skipped: readonly number[]): Promise<DueAlert[]>;
  defer(alert: DueAlert, delayMs: number): Promise<void>;
}): DueAlerts {
  const { log, find, defer } = parts;
  /** By `performance.now()`. */
  const skippedUntil = new Map<number, number>();
  const skip = (id: number, ms: number) => skippedUntil.set(id, performance.now() + ms);
  let due: DueAlert[] = [];
  let foundAtMs = 0;

  async function findMore(): Promise<void> {
    const now = performance.now();
    foundAtMs = now;
    for (const [id, until] of skippedUntil) if (until <= now) skippedUntil.delete(id);
    due = (await find([...skippedUntil.keys()])).filter(({ alertId }) => !skippedUntil.has(alertId));
  }

  return {
    async take(limit, mayTake = () => true) {
      if (performance.now() - foundAtMs > FOUND_MS || !due.some(mayTake)) await findMore();
      const taken = new Set(due.filter(mayTake).slice(0, limit));
      due = due.filter((alert) => !taken.has(alert));
      return [...taken];
    },
    async claim(alerts, claimAll) {
      const results = await isolateFaults(
        parts,
        alerts,
        async (some) => [await claimAll(some)],
        async (alert, error) => {
          log.error('messages of an alert could not be claimed', { alert: alert.alertId, error });
          skip(alert.alertId, TROUBLE_MS);
          await defer(alert, TROUBLE_MS).catch(() => {});
          return [];
        },
      );
      for (const id of results.flatMap(({ busy }) => busy)) skip(id, SOON_MS);
      return results.flatMap(({ claims }) => claims);
    },
    get soonestMs() {
      return skippedUntil.size > 0 ? SOON_MS : 0;
    },
  };
}
