import { type AlertClaims, claimAlerts } from './claim/claim-matches.ts';
import { claimQueued, type QueuedMail } from './claim/claim-queued.ts';
import type { ClaimedMail } from './claim/claimed-mail.ts';
import { findDueAlerts } from './claim/find-due-alerts.ts';
import { lookAgain } from './claim/look-again.ts';
import { putOffFor } from './claim/put-aside.ts';
import { failMail } from './hand-over.ts';
import { type Rendered, renderMails } from './render/render-mails.ts';
import { type Outcome, type Sender, SOON_MS } from './sender.ts';
import { putOffMails, settleMails } from './settle.ts';

/** An alert whose rows can't be handled is tried again so much later. */
const TROUBLE_MS = 60_000;

/** `done`: nothing was found that is due. */
export interface Taken {
  ready: Rendered[];
  /** What became of mails that need no handing over. */
  outcomes: Outcome[];
  done: boolean;
}

/** Does it for all at once; where that fails and the database is there, for each alone, so that one spoils no other. */
async function eachAlone<T, R>(
  sender: Sender,
  items: readonly T[],
  all: (some: readonly T[]) => Promise<R[]>,
  alone: (item: T, error: unknown) => Promise<R[]>,
): Promise<R[]> {
  if (items.length === 0) return [];
  try {
    return await all(items);
  } catch (error) {
    await sender.pool.query('select 1');
    const [only] = items;
    if (items.length === 1 && only !== undefined) return alone(only, error);
    const results: R[] = [];
    for (const item of items) results.push(...(await eachAlone(sender, [item], all, alone)));
    return results;
  }
}

async function renderAll(sender: Sender, mails: readonly ClaimedMail[]): Promise<Rendered[]> {
  return eachAlone<ClaimedMail, Rendered>(
    sender,
    mails,
    (some) => renderMails(sender.pool, sender, some),
    (mail, fault) => Promise.resolve([{ mail, fault }]),
  );
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
    sender,
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
  return { ready, outcomes: [], done: alertIds.length === 0 };
}

/** Those that the vendor had taken before the sender died are only recorded. */
async function withoutTaken(sender: Sender, mails: readonly QueuedMail[], outcomes: Outcome[]): Promise<QueuedMail[]> {
  const open: QueuedMail[] = [];
  for (const mail of mails) {
    if (mail.leftBehind && (await sender.mailer.wasSent(mail.id)) === true) {
      sender.recordSent(mail.id);
      outcomes.push('sent');
    } else open.push(mail);
  }
  return open;
}

/** Claims mails that lie in the queue: of other kinds, put off, or left behind. */
export async function takeQueued(sender: Sender, limit: number): Promise<Taken> {
  const mails = await claimQueued(sender.pool, limit, sender.staleMs, sender.held);
  if (mails.length === 0) return { ready: [], outcomes: [], done: true };
  return holding(sender, mails, () => makeReady(sender, mails));
}

async function makeReady(sender: Sender, mails: readonly QueuedMail[]): Promise<Taken> {
  const outcomes: Outcome[] = [];
  const open = await withoutTaken(sender, mails, outcomes);
  const looks = new Map(
    await eachAlone(
      sender,
      open,
      async (some) => [...(await lookAgain(sender.pool, some, sender.confirmEmail))],
      async (mail, error) => {
        outcomes.push(await failMail(sender, mail, error));
        sender.held.delete(mail.id);
        return [];
      },
    ),
  );
  const leaving: ClaimedMail[] = [];
  const later: ClaimedMail[] = [];
  const over: ClaimedMail[] = [];
  for (const mail of open) {
    const look = looks.get(mail.id);
    if (look?.verdict === 'send') leaving.push({ ...mail, to: look.to });
    else if (look?.verdict === 'later') later.push(mail);
    else if (look) over.push(mail);
  }
  await putOffMails(
    sender.pool,
    later.map((mail) => ({ mail, delayMs: SOON_MS, error: null, untried: true })),
  );
  await settleMails(
    sender.pool,
    over.map(({ id }) => id),
    'dropped',
  );
  for (const { id } of [...later, ...over]) sender.held.delete(id);
  outcomes.push(...later.map((): Outcome => 'progressed'), ...over.map((): Outcome => 'dropped'));
  return { ready: await renderAll(sender, leaving), outcomes, done: false };
}
