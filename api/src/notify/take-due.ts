import { type AlertClaims, claimAlerts } from './claim/claim-matches.ts';
import { claimQueued, type QueuedMail } from './claim/claim-queued.ts';
import type { ClaimedMail } from './claim/claimed-mail.ts';
import { findDueAlerts } from './claim/find-due-alerts.ts';
import { putOffFor } from './claim/put-aside.ts';
import { eachAlone } from './each-alone.ts';
import { makeReady, renderAll } from './hand-over/make-ready.ts';
import { type Ready, type Sender, SOON_MS } from './sender.ts';

/** An alert whose rows can't be handled is tried again so much later. */
const TROUBLE_MS = 60_000;

/** `done`: nothing was found that is due. */
export interface Taken {
  ready: Ready[];
  done: boolean;
}

/** Holds the mails while they are made ready; those of a look that failed are left to whoever finds them later. */
async function holding<T>(sender: Sender, mails: readonly ClaimedMail[], work: () => Promise<T>): Promise<T> {
  for (const { id } of mails) sender.held.add(id);
  try {
    return await work();
  } catch (error) {
    for (const { id } of mails) sender.held.delete(id);
    throw error;
  }
}

/** Alerts that are due and that nobody else is known to hold. */
export async function dueAlerts(sender: Sender): Promise<number[]> {
  const now = performance.now();
  for (const [id, until] of sender.skipped) if (until <= now) sender.skipped.delete(id);
  return (await findDueAlerts(sender.pool)).filter((id) => !sender.skipped.has(id));
}

/** Claims what waits for these alerts. */
export async function takeAlerts(sender: Sender, alertIds: readonly number[]): Promise<Taken> {
  const claims = await eachAlone<number, AlertClaims>(
    sender.pool,
    alertIds,
    async (some) => [await claimAlerts(sender.pool, some, sender.confirmEmail)],
    async (alertId, error) => {
      sender.log.error('an alert could not be handled', { alert: alertId, error });
      sender.skipped.set(alertId, performance.now() + TROUBLE_MS);
      await putOffFor(sender.pool, [alertId], TROUBLE_MS).catch(() => {});
      return [];
    },
  );
  for (const id of claims.flatMap(({ busy }) => busy)) sender.skipped.set(id, performance.now() + SOON_MS);
  const mails = claims.flatMap((claim) => claim.mails);
  const ready = await holding(sender, mails, () => renderAll(sender, mails));
  return { ready, done: alertIds.length === 0 };
}

/** Those that the vendor had taken before the sender died are only recorded. */
async function readyUnlessTaken(sender: Sender, mails: readonly QueuedMail[]): Promise<Ready[]> {
  const open: QueuedMail[] = [];
  const taken: Ready[] = [];
  for (const mail of mails) {
    if (mail.leftBehind && (await sender.mailer.wasSent(mail.id)) === true) {
      sender.recordSent({ id: mail.id, subject: null });
      taken.push({ mail, outcome: 'sent' });
    } else open.push(mail);
  }
  return [...taken, ...(open.length > 0 ? await makeReady(sender, open) : [])];
}

/** Claims mails that lie in the queue: of other kinds, put off, or left behind. */
export async function takeQueued(sender: Sender, limit: number): Promise<Taken> {
  const mails = await claimQueued(sender.pool, limit, sender.staleMs, sender.held);
  const ready = await holding(sender, mails, () => readyUnlessTaken(sender, mails));
  return { ready, done: mails.length === 0 };
}
