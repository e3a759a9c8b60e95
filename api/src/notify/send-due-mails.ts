import type { Pool } from '../base/database.ts';
import type { Log } from '../base/log.ts';
import { GIVE_UP_MS, retryDelayMs, STALE_MS } from '../domain/pacing.ts';
import { MailDelayed, type Mailer, MailRefused } from '../vendors/mail.ts';
import { claimAlert, findDueAlerts } from './claim-matches.ts';
import { claimQueued, findDueMails, lookAgain } from './claim-queued.ts';
import type { ClaimedMail } from './claimed-mail.ts';
import { runLanes } from './lanes.ts';
import { type MailSite, renderMail } from './render-mail.ts';
import { makeSentRecorder, putOffMail, settleMail } from './settle.ts';

export interface SendParts extends MailSite {
  pool: Pool;
  mailer: Mailer;
  log: Log;
  /** Whether an unconfirmed address gets nothing but the confirmation. */
  confirmEmail: boolean;
  /** Mails under way at once. */
  parallel?: number;
  /** Aborted at shutdown: nothing more is claimed, what is claimed is finished. */
  signal?: AbortSignal;
}

export interface SendResult {
  sent: number;
  delayed: number;
  failed: number;
  dropped: number;
  /** Milliseconds until the next row is due, by the database's clock; null when nothing waits. */
  nextDueInMs: number | null;
}

/** One run with what its lanes share. */
interface Sending extends SendParts {
  recordSent(mailId: string): Promise<void>;
}

type Outcome = 'sent' | 'delayed' | 'failed' | 'dropped' | 'progressed' | 'busy';
type Due = { mailId: string } | { alertId: number };

const PARALLEL = 8;
const BATCH = 200;
/** Another sender holds the row, or the look must wait for matching. */
const SOON_MS = 250;

async function fail(parts: SendParts, mail: ClaimedMail, error: unknown): Promise<Outcome> {
  const reason = error instanceof Error ? error.message : String(error);
  const old = Date.now() - mail.createdAt.getTime() > GIVE_UP_MS;
  if (error instanceof MailRefused || old) {
    parts.log.error('a mail failed', { mail: mail.id, kind: mail.kind, reason });
    await settleMail(parts.pool, mail.id, 'failed', reason);
    return 'failed';
  }
  const asked = error instanceof MailDelayed ? error.retryAfterMs : null;
  const delayMs = Math.min(GIVE_UP_MS, retryDelayMs(mail.attempts, asked, Math.random()));
  parts.log.warn('a mail waits for another try', { mail: mail.id, kind: mail.kind, reason, delayMs });
  await putOffMail(parts.pool, mail.id, delayMs, reason);
  return 'delayed';
}

async function handOver(parts: Sending, mail: ClaimedMail): Promise<Outcome> {
  try {
    const outgoing = await renderMail(parts.pool, parts, mail);
    if (outgoing === null) {
      await settleMail(parts.pool, mail.id, 'dropped');
      return 'dropped';
    }
    await parts.mailer.send(outgoing);
  } catch (error) {
    return fail(parts, mail, error);
  }
  await parts.recordSent(mail.id);
  return 'sent';
}

async function sendQueued(parts: Sending, mailId: string): Promise<Outcome> {
  const mail = await claimQueued(parts.pool, mailId);
  if (!mail) return 'busy';
  if (mail.leftBehind && (await parts.mailer.wasSent(mail.id)) === true) {
    await parts.recordSent(mail.id);
    return 'sent';
  }
  const look = await lookAgain(parts.pool, mail, parts.confirmEmail);
  if (look.verdict === 'send') return handOver(parts, { ...mail, to: look.to });
  if (look.verdict === 'later') {
    await putOffMail(parts.pool, mail.id, SOON_MS, null);
    return 'progressed';
  }
  await settleMail(parts.pool, mail.id, 'dropped');
  return 'dropped';
}

async function sendAlert(parts: Sending, alertId: number): Promise<Outcome> {
  const claim = await claimAlert(parts.pool, alertId, parts.confirmEmail);
  return claim.mail ? handOver(parts, claim.mail) : claim.result;
}

/** One row's trouble must not keep the others from leaving. */
async function attempt(parts: Sending, due: Due): Promise<Outcome> {
  try {
    return await ('mailId' in due ? sendQueued(parts, due.mailId) : sendAlert(parts, due.alertId));
  } catch (error) {
    parts.log.error('a mail could not be handled', { ...due, error });
    return 'busy';
  }
}

async function nextDueInMs(pool: Pool): Promise<number | null> {
  const { rows } = await pool.query<{ ms: number | null }>(
    `select extract(epoch from least(
       (select min(due_at) from notifications where status = 'waiting' and channel = 'email'),
       (select min(next_try_at) from mails where status = 'waiting'),
       (select min(claimed_at) from mails where status = 'sending') + interval '${STALE_MS} ms'
     ) - clock_timestamp())::float8 * 1000 as ms`,
  );
  const ms = rows[0]?.ms ?? null;
  return ms === null ? null : Math.ceil(ms);
}

async function findDue(pool: Pool): Promise<Due[]> {
  const [mails, alerts] = await Promise.all([findDueMails(pool, BATCH), findDueAlerts(pool, BATCH)]);
  return [...mails.map((mailId) => ({ mailId })), ...alerts.map((alertId) => ({ alertId }))];
}

/**
 * Sends everything that is due, several mails in parallel, and returns when nothing more can be sent. Any number of
 * senders may run at once: a row is claimed under a lock, and only then handed over.
 */
export async function sendDueMails(parts: SendParts): Promise<SendResult> {
  const counts: Record<Outcome, number> = { sent: 0, delayed: 0, failed: 0, dropped: 0, progressed: 0, busy: 0 };
  const sending: Sending = { ...parts, recordSent: makeSentRecorder(parts.pool) };
  await runLanes<Due>({
    parallel: parts.parallel ?? PARALLEL,
    signal: parts.signal,
    find: () => findDue(parts.pool),
    keyOf: (due) => JSON.stringify(due),
    handle: async (due) => {
      const outcome = await attempt(sending, due);
      counts[outcome] += 1;
      return outcome !== 'busy';
    },
  });
  const { sent, delayed, failed, dropped } = counts;
  const next = await nextDueInMs(parts.pool);
  const nextDue = next === null ? null : Math.max(counts.busy > 0 ? SOON_MS : 0, next);
  return { sent, delayed, failed, dropped, nextDueInMs: nextDue };
}
