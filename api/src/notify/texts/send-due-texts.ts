import { inTransaction, type Pool } from '../../base/database.ts';
import type { Log } from '../../base/log.ts';
import { TEXT_GIVE_UP_MS } from '../../domain/text-limits.ts';
import { settleText, type TextOutcome } from '../../entities/shared/settle-text.ts';
import { stopTexts } from '../../entities/shared/text-stop.ts';
import { type Texter, TextNotTaken, TextRefused } from '../../vendors/texts/text.ts';
import { makeVendorPace, type VendorPace } from '../hand-over/vendor-pace.ts';
import { SOON_MS } from '../sender.ts';
import { type ClaimedText, type ClaimParts, claimText, putOffText } from './claim-text.ts';
import { giveBack, giveUpLeftBehind, surely } from './settle-texts.ts';

export interface TextParts extends ClaimParts {
  /** null where texts are not set up: then nothing is texted. */
  texter: Texter | null;
  log: Log;
  /** Aborted at shutdown: nothing more is claimed, and what is under way is finished. */
  signal?: AbortSignal;
}

export interface TextResult {
  sent: number;
  failed: number;
  unknown: number;
  /** Milliseconds until the next row is due, by the database's clock; null when nothing waits. */
  nextDueInMs: number | null;
}

interface TextSender extends TextParts {
  texter: Texter;
  pace: VendorPace;
  counts: { sent: number; failed: number; unknown: number };
  /** Alerts that can't be handled now, with when to look again by `performance.now()`. */
  skipped: Map<number, number>;
}

const STOPPED = 'The number replied STOP.';
/** Each of these is of unknown fate after a crash; the provider sends a number's texts one after another anyway. */
const PARALLEL = 4;
const ALERTS_A_LOOK = 200;
const TROUBLE_MS = 60_000;
/** How long another process may wait for the vendor. */
const LONGEST_CALL_MS = 15_000;
/** Beyond the vendor's own limit: a call that is open for longer belongs to a process that is gone. */
const STALE_MARGIN_MS = 10_000;

/** Alerts with a row whose time has come, by their owners, as a claim holds the owner. */
async function findDue(pool: Pool, skipped: ReadonlyMap<number, number>): Promise<number[][]> {
  const { rows } = await pool.query<{ alertId: number; userId: number }>({
    name: 'texts-due-alerts',
    text: `select alert_id as "alertId", min(user_id) as "userId" from (
             select alert_id, user_id, due_at from notifications
              where status = 'waiting' and channel = 'sms' and due_at <= now() and alert_id <> all($1::int8[])
              order by due_at limit 5000) due
            group by alert_id order by min(due_at) limit ${ALERTS_A_LOOK}`,
    values: [[...skipped.keys()]],
  });
  return [...Map.groupBy(rows, ({ userId }) => userId).values()].map((group) => group.map(({ alertId }) => alertId));
}

async function nextDueInMs(pool: Pool, staleMs: number): Promise<number | null> {
  const { rows } = await pool.query<{ ms: number | null }>({
    name: 'texts-next-due',
    text: `select extract(epoch from least(
             (select min(due_at) from notifications where status = 'waiting' and channel = 'sms'),
             (select min(created_at) from texts where status = 'sending') + $1 * interval '1 ms'
           ) - clock_timestamp())::float8 * 1000 as ms`,
    values: [staleMs],
  });
  const ms = rows[0]?.ms ?? null;
  return ms === null ? null : Math.ceil(ms);
}

/** The one call of a text: what it throws says whether one like it may be tried again. */
async function callOnce({ texter, pace }: TextSender, { text }: ClaimedText): Promise<TextOutcome | TextNotTaken> {
  const startedAt = performance.now();
  try {
    const { sid } = await texter.send(text);
    pace.taken();
    return { status: 'sent', sid };
  } catch (error) {
    if (error instanceof TextNotTaken) {
      pace.failed(startedAt, null);
      return error;
    }
    if (error instanceof TextRefused && error.because === 'stopped') return { status: 'failed', error: STOPPED };
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof TextRefused) return { status: 'failed', error: reason };
    // What a broken vendor is given is lost: the others had better wait.
    pace.failed(startedAt, null);
    return { status: 'unknown', error: reason };
  }
}

async function handOver(sender: TextSender, claimed: ClaimedText): Promise<void> {
  const { pool, log, counts } = sender;
  const { text } = claimed;
  const outcome = await callOnce(sender, claimed);
  if (outcome instanceof TextNotTaken) {
    log.warn('a text was not taken', { text: text.id, reason: outcome.message });
    await surely(sender, text.id, () => giveBack(pool, claimed, outcome.message));
    return;
  }
  counts[outcome.status] += 1;
  if (outcome.status !== 'sent') log.error(`a text is ${outcome.status}`, { text: text.id, reason: outcome.error });
  await surely(sender, text.id, () => settleText(pool, text.id, outcome));
  if (outcome.status === 'failed' && outcome.error === STOPPED)
    await inTransaction(pool, (client) => stopTexts(client, text.to));
}

async function handle(sender: TextSender, alertId: number): Promise<void> {
  try {
    const claimed = await claimText(sender, alertId);
    if (claimed === 'busy') sender.skipped.set(alertId, performance.now() + SOON_MS);
    else if (claimed !== 'done') await handOver(sender, claimed);
  } catch (error) {
    // Where the database is away, no alert is to blame.
    await sender.pool.query('select 1');
    sender.log.error('an alert could not be texted', { alert: alertId, error });
    sender.skipped.set(alertId, performance.now() + TROUBLE_MS);
    await putOffText(sender.pool, alertId, TROUBLE_MS).catch(() => {});
  }
}

const mayGoOn = (sender: TextSender) => !sender.signal?.aborted && sender.pace.heldMs() === 0;

/** Several owners at once, the alerts of each one after another; ends when nothing is in hand. */
async function handleAll(sender: TextSender, owners: number[][]): Promise<void> {
  const lane = async () => {
    for (let alerts = owners.shift(); alerts !== undefined; alerts = owners.shift())
      for (const alert of alerts) if (mayGoOn(sender)) await handle(sender, alert);
  };
  const ended = await Promise.allSettled(Array.from({ length: PARALLEL }, lane));
  const failed = ended.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
}

function forgetSkipped(skipped: Map<number, number>): void {
  const now = performance.now();
  for (const [id, until] of skipped) if (until <= now) skipped.delete(id);
}

/** Where texts are not set up they wait for a process that can send them, but not for ever. */
async function dropOld(pool: Pool): Promise<void> {
  await pool.query(
    `update notifications set status = 'dropped', settled_at = now()
      where status = 'waiting' and channel = 'sms' and due_at <= now() - interval '${TEXT_GIVE_UP_MS} ms'`,
  );
}

/**
 * Makes the sender of a process: each call texts everything that is due. A text is handed over once at most, whatever
 * crashes: it is 'sending' and committed before the call, and one that was left behind becomes 'unknown'.
 */
export function makeTextSender(parts: TextParts): () => Promise<TextResult> {
  const { pool, texter } = parts;
  const pace = makeVendorPace();
  const skipped = new Map<number, number>();
  return async () => {
    const counts = { sent: 0, failed: 0, unknown: 0 };
    const staleMs = (texter?.timeoutMs ?? LONGEST_CALL_MS) + STALE_MARGIN_MS;
    counts.unknown += await giveUpLeftBehind(pool, staleMs);
    if (texter === null) {
      await dropOld(pool);
      return { ...counts, nextDueInMs: null };
    }
    const sender: TextSender = { ...parts, texter, pace, counts, skipped };
    while (mayGoOn(sender)) {
      forgetSkipped(skipped);
      const due = await findDue(pool, skipped);
      if (due.length === 0) break;
      // After a pause one goes ahead, and the others follow if it is taken.
      await handleAll(sender, pace.room(0) === 1 ? due.slice(0, 1).map((alerts) => alerts.slice(0, 1)) : due);
    }
    const next = await nextDueInMs(pool, staleMs);
    return { ...counts, nextDueInMs: next === null ? null : Math.max(pace.heldMs(), SOON_MS, next) };
  };
}
