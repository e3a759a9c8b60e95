import { ClaimScan } from '../../../base/claim-scan.ts';
import type { Pool } from '../../../base/database.ts';
import { UNSENT_TEXT_MS } from '../../../domain/text-limits.ts';
import { type OutgoingText, type Texter, TextNotAccepted, TextRefused } from '../../../vendors/texts/text.ts';
import type { Adapter, Attempt } from '../../adapter.ts';
import { makeDueAlerts } from '../../claim.ts';
import { countDelays } from '../../count-delays.ts';
import { type Engine, type EngineParts, makeEngine } from '../../engine.ts';
import { BEGINNING, type DueScan, soonest } from '../claim-place.ts';
import { deferWaiting, findDueAlerts } from '../one-alert.ts';
import { type ClaimedText, claimText } from './claim-text.ts';
import { completeTexts, giveUpStaleTexts, type TextReceipt } from './complete-texts.ts';
import type { TextRules } from './count-segments.ts';

export interface SmsParts extends EngineParts {
  texter: Texter;
  publicUrl: string;
  confirmEmail: boolean;
  rules: TextRules;
}

const STOPPED = 'The number replied STOP.';
/** How many texts are sent concurrently. Few, as each of them is unknown after a crash. */
const WORKERS = 4;
/** Added to the vendor's timeout, after which a call must belong to a process that has ended. */
const LEASE_MARGIN_MS = 10_000;
/** The longest call of another process, assumed where this one has no vendor. */
const MAX_CALL_MS = 15_000;
/** How long a text that was not accepted is deferred. */
const RETRY_MS = 30_000;

/** Where the claims of due rows begin, and the search for texts that a process left behind. */
interface Scans {
  due: DueScan;
  stale: DueScan;
}

async function nextDueInMs(pool: Pool, leaseMs: number, { due, stale }: Scans): Promise<number | null> {
  const { rows } = await pool.query<{ ms: number | null }>({
    name: 'texts-next-due',
    text: `select extract(epoch from least(
             (select min(due_at) from notifications where status = 'waiting' and channel = 'sms' and due_at >= $2),
             (select min(created_at) from texts where status = 'sending' and created_at >= $3) + $1 * interval '1 ms'
           ) - clock_timestamp())::float8 * 1000 as ms`,
    values: [leaseMs, due.next() ?? BEGINNING, stale.next() ?? BEGINNING],
  });
  return soonest(rows[0]?.ms, due.restMs, stale.restMs);
}

async function callOnce(texter: Texter, text: OutgoingText): Promise<Attempt<TextReceipt>> {
  try {
    const { sid } = await texter.send(text);
    return { result: 'accepted', receipt: { sid, isStopped: false } };
  } catch (error) {
    if (error instanceof TextNotAccepted) return { result: 'retry', error: error.message };
    if (!(error instanceof TextRefused)) throw error;
    const isStopped = error.because === 'stopped';
    return { result: 'refused', error: isStopped ? STOPPED : error.message, receipt: { sid: null, isStopped } };
  }
}

/**
 * Texts, each with all waiting notifications of an alert. The claim validates and renders in its transaction, as it commits
 * a text as 'sending' before the call. From then on the text is delivered at most once.
 */
function smsAdapter(parts: SmsParts): Adapter<ClaimedText, OutgoingText, TextReceipt> {
  const { pool, texter, log } = parts;
  const leaseMs = texter.timeoutMs + LEASE_MARGIN_MS;
  const scans: Scans = { due: new ClaimScan(), stale: new ClaimScan() };
  const dueAlerts = makeDueAlerts({
    pool,
    log,
    find: (skipped) => findDueAlerts(pool, 'sms', skipped, scans.due),
    defer: (alert, delayMs) => deferWaiting(pool, 'sms', alert, delayMs),
  });
  return {
    name: 'sms',
    guarantee: 'at most once',
    leaseMs,
    workers: WORKERS,
    throttle: 'vendor',
    batching: { claimsAhead: false, claimAfterMs: 0, completions: false },
    async claim(_limit, held) {
      // One at a time, and none of an owner with a text being claimed, as a claim locks the owner.
      const owners = new Set([...held.values()].map(({ userId }) => userId));
      const alerts = await dueAlerts.take(1, ({ userId }) => !owners.has(userId));
      const claims = await dueAlerts.claim<ClaimedText>(alerts, async ([alert]) => {
        const claimed = alert ? await claimText(parts, alert) : 'done';
        const isBusy = alert && claimed === 'busy';
        return { claims: typeof claimed === 'string' ? [] : [claimed], busy: isBusy ? [alert.alertId] : [] };
      });
      return { claims, isDone: alerts.length === 0 };
    },
    giveUpStale: () => giveUpStaleTexts(pool, leaseMs, scans.stale),
    render: async (claims) => claims.map(({ text }) => text),
    deliver: (text) => callOnce(texter, text),
    retryInMs: () => RETRY_MS,
    complete: (completions) => completeTexts(pool, completions),
    countDelays: (claims) => countDelays(pool, 'sms', claims),
    async nextDueInMs() {
      const ms = await nextDueInMs(pool, leaseMs, scans);
      return ms === null ? null : Math.max(dueAlerts.soonestMs, ms);
    },
  };
}

/** Makes the engine that delivers the texts of a process. */
export const makeSmsEngine = (parts: SmsParts): Engine => makeEngine(smsAdapter(parts), parts);

/**
 * Drops texts that no process could send for too long, where texts are not set up. Returns how many texts are unknown, as
 * the process that delivered them has ended.
 */
export async function dropOldTexts(pool: Pool): Promise<number> {
  const unknown = await giveUpStaleTexts(pool, MAX_CALL_MS + LEASE_MARGIN_MS);
  await pool.query(
    `update notifications set status = 'dropped', settled_at = now()
      where status = 'waiting' and channel = 'sms' and due_at <= now() - interval '${UNSENT_TEXT_MS} ms'`,
  );
  return unknown;
}
