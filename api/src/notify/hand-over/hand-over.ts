import { MailDelayed, MailRefused, type OutgoingMail } from '../../vendors/mail.ts';
import { keepHold } from '../claim/claim-queued.ts';
import type { ClaimedMail } from '../claim/claimed-mail.ts';
import type { Rendered } from '../render/render-mails.ts';
import { type Outcome, type Ready, type Sender, SOON_MS } from '../sender.ts';
import { failMail, makeReady } from './make-ready.ts';
import { putOffMails, settleMails } from './settle.ts';

/** A look at the alert is good for so long: nothing leaves later than a second after it was switched off. */
const FRESH_MS = 500;

/** Whether a mail waited in hand for so long that it must be looked at again. */
export function isStale({ mail }: Rendered): boolean {
  return performance.now() - mail.lookedAtMs > FRESH_MS;
}

async function drop(sender: Sender, mail: ClaimedMail): Promise<Outcome> {
  await settleMails(sender.pool, [mail], 'dropped');
  return 'dropped';
}

async function putBack(sender: Sender, mail: ClaimedMail, delayMs: number): Promise<Outcome> {
  await putOffMails(sender.pool, [{ mail, delayMs, error: null, untried: true }]);
  return delayMs > SOON_MS ? 'delayed' : 'progressed';
}

/** Looks again at mails that had to wait in hand; those that another sender took over meanwhile are `busy`. */
export async function freshenAll(sender: Sender, mails: readonly ClaimedMail[]): Promise<Ready[]> {
  const askedAtMs = performance.now();
  const ours = await keepHold(sender.pool, mails);
  const kept = mails.filter(({ id }) => ours.has(id));
  const ready = new Map((await makeReady(sender, kept)).map((one) => [one.mail.id, one]));
  // A process that was stopped meanwhile may have lost them since it asked.
  if (performance.now() - askedAtMs > sender.staleMs / 2) ready.clear();
  return mails.map((mail) => ready.get(mail.id) ?? { mail, outcome: 'busy' });
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
  sender.recordSent({ id: mail.id, subject: outgoing.subject });
  return 'sent';
}

/** Hands one claimed mail to the vendor, or ends it, or gives it back. */
export async function handOver(sender: Sender, rendered: Rendered): Promise<Outcome> {
  const { mail } = rendered;
  const heldMs = sender.signal?.aborted ? 0 : sender.pace.heldMs();
  if (heldMs > 0 || sender.signal?.aborted) return putBack(sender, mail, heldMs);
  const ready = isStale(rendered) ? await sender.freshen(mail) : rendered;
  if ('outcome' in ready) return ready.outcome;
  if ('fault' in ready) return failMail(sender, mail, ready.fault);
  return ready.outgoing === null ? drop(sender, mail) : send(sender, mail, ready.outgoing);
}
