import { ClaimScan } from '../../../base/claim-scan.ts';
import type { Pool } from '../../../base/database.ts';
import type { PhotoSite } from '../../../domain/photo-paths.ts';
import { GIVE_UP_MS, isGivenUp, mailRetryDelayMs } from '../../../domain/throttle.ts';
import type { Pusher } from '../../../vendors/push/push.ts';
import type { Adapter } from '../../adapter.ts';
import { makeDueAlerts } from '../../claim.ts';
import { countDelays } from '../../count-delays.ts';
import { type Engine, type EngineParts, makeEngine } from '../../engine.ts';
import { BEGINNING, type DueScan, soonest } from '../claim-place.ts';
import { deferWaiting, findDueAlerts } from '../one-alert.ts';
import { type ClaimedPush, claimAlert, claimRetries, LEASE_MS, renewLeases, validatePushes } from './claim-pushes.ts';
import { completePushes, isUncalled, type PushReceipt, removeDevices } from './complete-pushes.ts';
import { makeDelivery } from './deliver-push.ts';
import { type RenderedPush, renderPushes } from './render-pushes.ts';

export interface PushParts extends EngineParts {
  pusher: Pusher;
  /** For the addresses of pages and photos. */
  site: PhotoSite;
  /** 0 to 1; for the jitter of retries. */
  random?(): number;
}

/** How many messages of one process are delivered concurrently, each to all devices of its user. */
const WORKERS = 64;
/** How many retries are claimed at once, before it is the turn of new messages. */
const RETRIES = 8;

/** Where the claims of due rows, and of retries, begin. */
interface Scans {
  due: DueScan;
  retries: DueScan;
}

async function nextDueInMs(pool: Pool, { due, retries }: Scans): Promise<number | null> {
  const { rows } = await pool.query<{ ms: number | null }>({
    name: 'pushes-next-due',
    text: `select extract(epoch from least(
             (select min(due_at) from notifications where status = 'waiting' and channel = 'push' and due_at >= $1),
             (select min(next_try_at) from pushes where status in ('waiting', 'sending') and next_try_at >= $2)
           ) - clock_timestamp())::float8 * 1000 as ms`,
    values: [due.next() ?? BEGINNING, retries.next() ?? BEGINNING],
  });
  return soonest(rows[0]?.ms, due.restMs, retries.restMs);
}

/**
 * How often a message was tried. Where many wait for a device that does not answer, the calls that others made count too:
 * each would otherwise wait for its own, and all of them would reach the device together, days late.
 */
function allTries({ tries }: ClaimedPush, receipt: PushReceipt | undefined): number {
  if (!receipt) return tries;
  const own = isUncalled(receipt) ? tries - 1 : tries;
  return Math.max(own, Math.min(...receipt.left.map(({ failures }) => failures)));
}

/**
 * Push messages, each with all waiting notifications of an alert, to all devices of its owner. At least once: a message that
 * is sent again replaces the first one, at the push service by its topic and on the device by its tag.
 */
function pushAdapter(parts: PushParts): Adapter<ClaimedPush, RenderedPush, PushReceipt> {
  const { pool, pusher, log, site, signal, random = Math.random } = parts;
  const toNobody = pusher.sendToNobody !== null;
  let isTurnOfRetries = false;
  const scans: Scans = { due: new ClaimScan(), retries: new ClaimScan() };
  const dueAlerts = makeDueAlerts({
    pool,
    log,
    find: (skipped) => findDueAlerts(pool, 'push', skipped, scans.due),
    defer: (alert, delayMs) => deferWaiting(pool, 'push', alert, delayMs),
  });
  return {
    name: 'push',
    guarantee: 'at least once',
    leaseMs: LEASE_MS,
    workers: WORKERS,
    throttle: 'receiver',
    batching: { claimsAhead: false, claimAfterMs: 0, completions: false },
    async claim(limit, held) {
      // One message of a user at a time, so that a push service that does not answer delays nobody else.
      const owners = new Set([...held.values()].map(({ userId }) => userId));
      const again = () => claimRetries(pool, Math.min(limit, RETRIES), [...owners], scans.retries);
      // New messages and retries take turns, so that retries to slow push services do not fill all workers.
      isTurnOfRetries = !isTurnOfRetries;
      const first = isTurnOfRetries ? await again() : [];
      if (first.length > 0) return { claims: first, isDone: false };
      const alerts = await dueAlerts.take(1, ({ userId }) => !owners.has(userId));
      const claims = await dueAlerts.claim(alerts, async ([alert]) =>
        alert ? claimAlert(pool, alert, toNobody) : { claims: [], busy: [] },
      );
      if (alerts.length > 0) return { claims, isDone: false };
      const retries = isTurnOfRetries ? [] : await again();
      return { claims: retries, isDone: retries.length === 0 };
    },
    revalidation: {
      wasAccepted: () => Promise.resolve(null),
      renew: (pushes) => renewLeases(pool, pushes),
      validate: (pushes) => validatePushes(pool, pushes, toNobody),
    },
    render: (pushes) => renderPushes(pool, site, pushes),
    deliver: makeDelivery({
      pusher,
      signal,
      random,
      removeDevice: ({ id, userId }) => removeDevices(pool, userId, [id]),
    }),
    retryInMs(push, { retryAfterMs, receipt }) {
      if (isGivenUp({ ...push, tries: allTries(push, receipt) })) return null;
      // Another process may go on at once.
      if (signal?.aborted) return 0;
      return Math.min(GIVE_UP_MS, retryAfterMs ?? mailRetryDelayMs(push.tries, null, random()));
    },
    complete: (completions) => completePushes(pool, completions),
    countDelays: (claims) => countDelays(pool, 'push', claims),
    async nextDueInMs() {
      const ms = await nextDueInMs(pool, scans);
      return ms === null ? null : Math.max(dueAlerts.soonestMs, ms);
    },
  };
}

/** Makes the engine that delivers the push messages of a process. */
export const makePushEngine = (parts: PushParts): Engine => makeEngine(pushAdapter(parts), parts);
