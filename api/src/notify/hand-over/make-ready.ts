import { GIVE_UP_MS, retryDelayMs } from '../../domain/throttle.ts';
import { MailDelayed, MailRefused } from '../../vendors/mail.ts';
import type { ClaimedMail } from '../claim/claimed-mail.ts';
import { lookAgain } from '../claim/look-again.ts';
import { eachAlone } from '../each-alone.ts';
import { type Rendered, renderMails } from '../render/render-mails.ts';
import { type Outcome, type Ready, type Sender, SOON_MS } from '../sender.ts';
import { putOffMails, settleMails } from './settle.ts';

/** Ends a mail whose try failed, or lets it wait for another. */
export async function failMail(sender: Sender, mail: ClaimedMail, error: unknown): Promise<Outcome> {
  const reason = error instanceof Error ? error.message : String(error);
  if (error instanceof MailRefused || mail.ageMs > GIVE_UP_MS) {
    sender.log.error('a mail failed', { mail: mail.id, kind: mail.kind, reason });
    await settleMails(sender.pool, [mail], 'failed', reason);
    return 'failed';
  }
  const asked = error instanceof MailDelayed ? error.retryAfterMs : null;
  const delayMs = Math.min(GIVE_UP_MS, retryDelayMs(mail.attempts, asked, Math.random()));
  sender.log.warn('a mail waits for another try', { mail: mail.id, kind: mail.kind, reason, delayMs });
  await putOffMails(sender.pool, [{ mail, delayMs, error: reason }]);
  return 'delayed';
}

/** Reads what claimed mails say. */
export function renderAll(sender: Sender, mails: readonly ClaimedMail[]): Promise<Rendered[]> {
  return eachAlone<ClaimedMail, Rendered>(
    sender.pool,
    mails,
    (some) => renderMails(sender.pool, sender, some),
    (mail, fault) => Promise.resolve([{ mail, fault }]),
  );
}

/** Looks again whether claimed mails may leave, and reads what they say; the others are ended or put off. */
export async function makeReady(sender: Sender, mails: readonly ClaimedMail[]): Promise<Ready[]> {
  const lookedAtMs = performance.now();
  const others: Ready[] = [];
  const looks = await eachAlone(
    sender.pool,
    mails,
    async (some) => [...(await lookAgain(sender.pool, some, sender.confirmEmail))],
    async (mail, error) => {
      others.push({ mail, outcome: await failMail(sender, mail, error) });
      return [];
    },
  );
  const byId = new Map(looks);
  const leaving: ClaimedMail[] = [];
  const later: ClaimedMail[] = [];
  const over: ClaimedMail[] = [];
  for (const mail of mails) {
    const look = byId.get(mail.id);
    if (look?.verdict === 'send') leaving.push({ ...mail, to: look.to, lookedAtMs });
    else if (look?.verdict === 'later') later.push(mail);
    else if (look) over.push(mail);
  }
  await putOffMails(
    sender.pool,
    later.map((mail) => ({ mail, delayMs: SOON_MS, error: null, untried: true })),
  );
  await settleMails(sender.pool, over, 'dropped');
  others.push(...later.map((mail): Ready => ({ mail, outcome: 'progressed' })));
  others.push(...over.map((mail): Ready => ({ mail, outcome: 'dropped' })));
  return [...(await renderAll(sender, leaving)), ...others];
}
