import { GIVE_UP_MS, retryDelayMs } from '../domain/pacing.ts';
import { MailDelayed, MailRefused, type OutgoingMail } from '../vendors/mail.ts';
import { keepHold } from './claim/claim-queued.ts';
import type { ClaimedMail } from './claim/claimed-mail.ts';
import { lookAgain } from './claim/look-again.ts';
import { type Rendered, renderMails } from './render/render-mails.ts';
import { type Outcome, type Sender, SOON_MS } from './sender.ts';
import { putOffMails, settleMails } from './settle.ts';

/** A look at the alert is good for so long: nothing leaves later than a second after it was switched off. */
const FRESH_MS = 500;

/** Ends a mail whose try failed, or lets it wait for another. */
export async function failMail(sender: Sender, mail: ClaimedMail, error: unknown): Promise<Outcome> {
  const reason = error instanceof Error ? error.message : String(error);
  const old = Date.now() - mail.createdAt.getTime() > GIVE_UP_MS;
  if (error instanceof MailRefused || old) {
    sender.log.error('a mail failed', { mail: mail.id, kind: mail.kind, reason });
    await settleMails(sender.pool, [mail.id], 'failed', reason);
    return 'failed';
  }
  const asked = error instanceof MailDelayed ? error.retryAfterMs : null;
  const delayMs = Math.min(GIVE_UP_MS, retryDelayMs(mail.attempts, asked, Math.random()));
  sender.log.warn('a mail waits for another try', { mail: mail.id, kind: mail.kind, reason, delayMs });
  await putOffMails(sender.pool, [{ mail, delayMs, error: reason }]);
  return 'delayed';
}

async function drop(sender: Sender, mail: ClaimedMail): Promise<Outcome> {
  await settleMails(sender.pool, [mail.id], 'dropped');
  return 'dropped';
}

async function putBack(sender: Sender, mail: ClaimedMail, delayMs: number): Promise<Outcome> {
  await putOffMails(sender.pool, [{ mail, delayMs, error: null, untried: true }]);
  return delayMs > SOON_MS ? 'delayed' : 'progressed';
}

/** What is still to be said of a mail that had to wait in hand; otherwise what became of it. */
async function freshen(sender: Sender, mail: ClaimedMail): Promise<OutgoingMail | Outcome> {
  if (!(await keepHold(sender.pool, [mail])).has(mail.id)) return 'busy';
  const look = (await lookAgain(sender.pool, [mail], sender.confirmEmail)).get(mail.id);
  if (look?.verdict === 'later') return putBack(sender, mail, SOON_MS);
  if (look?.verdict !== 'send') return drop(sender, mail);
  const [rendered] = await renderMails(sender.pool, sender, [{ ...mail, to: look.to }]);
  if (!rendered) return 'busy';
  if ('fault' in rendered) return failMail(sender, mail, rendered.fault);
  return rendered.outgoing ?? drop(sender, mail);
}

async function send(sender: Sender, mail: ClaimedMail, outgoing: OutgoingMail): Promise<Outcome> {
  const startedAt = performance.now();
  try {
    await sender.mailer.send(outgoing);
  } catch (error) {
    if (!(error instanceof MailRefused)) {
      sender.pace.failed(startedAt, error instanceof MailDelayed ? error.retryAfterMs : null);
    }
    return failMail(sender, mail, error);
  }
  sender.pace.taken();
  sender.recordSent(mail.id);
  return 'sent';
}

/** Hands one claimed mail to the vendor, or ends it, or gives it back. */
export async function handOver(sender: Sender, ready: Rendered): Promise<Outcome> {
  const { mail } = ready;
  if ('fault' in ready) return failMail(sender, mail, ready.fault);
  if (ready.outgoing === null) return drop(sender, mail);
  const heldMs = sender.signal?.aborted ? 0 : sender.pace.heldMs();
  if (heldMs > 0 || sender.signal?.aborted) return putBack(sender, mail, heldMs);
  if (performance.now() - mail.lookedAtMs <= FRESH_MS) return send(sender, mail, ready.outgoing);
  const fresh = await freshen(sender, mail);
  return typeof fresh === 'string' ? fresh : send(sender, mail, fresh);
}
