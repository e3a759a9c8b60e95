import { ClaimScan } from '../../../base/claim-scan.ts';
import type { Pool } from '../../../base/database.ts';
import type { Log } from '../../../base/log.ts';
import { GIVE_UP_MS, isGivenUp, MAIL_LEASE_MS, mailRetryDelayMs } from '../../../domain/throttle.ts';
import { MailDelayed, type Mailer, MailRefused, type OutgoingMail } from '../../../vendors/mail.ts';
import type { Adapter } from '../../adapter.ts';
import { makeDueAlerts } from '../../claim.ts';
import { countDelays } from '../../count-delays.ts';
import { type Engine, type EngineParts, makeEngine } from '../../engine.ts';
import { BEGINNING, type DueScan, soonest } from '../claim-place.ts';
import { type ClaimedMail, claimAlerts, claimEnqueued, findDueAlerts, renewLeases } from './claim-mails.ts';
import { completeMails, type MailReceipt } from './complete-mails.ts';
import { deferAlertsFor } from './lock-alerts.ts';
import { wasReported } from './record-events.ts';
import { type MailSite, renderMails } from './render-mails.ts';
import { validateMails } from './revalidate-mails.ts';

export interface EmailParts extends MailSite, EngineParts {
  mailer: Mailer;
  /** Whether an unconfirmed address gets nothing but the confirmation. */
  confirmEmail: boolean;
  /** How many mails are delivered concurrently. */
  workers?: number;
}

/** Where the claims of due rows, and of enqueued mails, begin. */
interface Scans {
  due: DueScan;
  enqueued: DueScan;
}

async function nextDueInMs(pool: Pool, leaseMs: number, { due, enqueued }: Scans): Promise<number | null> {
  const { rows } = await pool.query<{ ms: number | null }>(
    `select extract(epoch from least(
       (select min(due_at) from notifications where status = 'waiting' and channel = 'email' and due_at >= $2),
       (select min(next_try_at) from mails where status = 'waiting' and next_try_at >= $3),
       (select min(claimed_at) from mails where status = 'sending' and next_try_at >= $3) + $1 * interval '1 ms'
     ) - clock_timestamp())::float8 * 1000 as ms`,
    [leaseMs, due.next() ?? BEGINNING, enqueued.next() ?? BEGINNING],
  );
  return soonest(rows[0]?.ms, due.restMs, enqueued.restMs);
}

/** The alerts whose rows are claimed for match mails. */
const dueAlertsOf = ({ pool, log }: { pool: Pool; log: Log }, scan: DueScan) =>
  makeDueAlerts({
    pool,
    log,
    find: (skipped) => findDueAlerts(pool, skipped, scan),
    defer: (alert, delayMs) => deferAlertsFor(pool, [alert], delayMs),
  });

/** E-mail: enqueued mails of all kinds, and match mails, each with all waiting notifications of an alert. */
function emailAdapter(parts: EmailParts): Adapter<ClaimedMail, OutgoingMail, MailReceipt> {
  const { pool, mailer, confirmEmail } = parts;
  const leaseMs = mailer.staleMs ?? MAIL_LEASE_MS;
  const scans: Scans = { due: new ClaimScan(), enqueued: new ClaimScan() };
  const dueAlerts = dueAlertsOf(parts, scans.due);
  return {
    name: 'email',
    guarantee: 'at least once',
    leaseMs,
    workers: parts.workers ?? 32,
    throttle: 'vendor',
    batching: { claimsAhead: true, claimAfterMs: null, completions: true },
    async claim(limit, held) {
      const enqueued = await claimEnqueued(pool, limit, leaseMs, held.keys(), scans.enqueued);
      if (enqueued.length > 0) return { claims: enqueued, isDone: false };
      const alerts = await dueAlerts.take(limit);
      const claims = await dueAlerts.claim(alerts, (some) => claimAlerts(pool, some, confirmEmail));
      return { claims, isDone: alerts.length === 0 };
    },
    revalidation: {
      wasAccepted: async (mail) => (await mailer.wasSent(mail.id)) ?? wasReported(pool, mail),
      renew: (mails) => renewLeases(pool, mails),
      validate: (mails) => validateMails(pool, mails, confirmEmail),
    },
    render: (mails) => renderMails(pool, parts, mails),
    async deliver(mail) {
      try {
        await mailer.send(mail);
        return { result: 'accepted', receipt: { subject: mail.subject } };
      } catch (error) {
        if (error instanceof MailRefused) return { result: 'refused', error: error.message };
        if (!(error instanceof MailDelayed)) throw error;
        return { result: 'retry', error: error.message, retryAfterMs: error.retryAfterMs };
      }
    },
    retryInMs(mail, { retryAfterMs = null }) {
      if (isGivenUp(mail)) return null;
      return Math.min(GIVE_UP_MS, mailRetryDelayMs(mail.tries, retryAfterMs, Math.random()));
    },
    complete: (completions) => completeMails(pool, completions),
    countDelays: (claims) => countDelays(pool, 'email', claims),
    async nextDueInMs() {
      const ms = await nextDueInMs(pool, leaseMs, scans);
      return ms === null ? null : Math.max(dueAlerts.soonestMs, ms);
    },
  };
}

/** Makes the engine that delivers the mails of a process. A delay that the vendor asks for applies to all mails. */
export const makeEmailEngine = (parts: EmailParts): Engine => makeEngine(emailAdapter(parts), parts);
