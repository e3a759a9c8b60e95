import type { Queryable } from '../base/database.ts';
import { linkExpiry, signToken } from '../domain/action-links.ts';
import type { MailData } from '../entities/queue-mail.ts';
import {
  addressChangedMail,
  addressTakenMail,
  confirmMail,
  contactMail,
  resetMail,
} from '../messages/account-mails.ts';
import { expiredMail, reminderMail, testMail } from '../messages/alert-mails.ts';
import type { MailContent } from '../messages/mail-layout.ts';
import { matchMail } from '../messages/match-mail.ts';
import type { OutgoingMail } from '../vendors/mail.ts';
import type { ClaimedMail } from './claimed-mail.ts';
import { readAlertWords } from './read-alert-words.ts';
import { readMailCars } from './read-mail-cars.ts';

/** Where the links of a mail lead, and what signs them. */
export interface MailSite {
  /** Without a trailing slash. */
  publicUrl: string;
  secret: string;
  supportEmail: string;
  /** For listings without an address of their own. */
  marketplaceHome: string;
}

type Body = Pick<OutgoingMail, 'matchIds' | 'notificationIds' | 'replyTo' | 'headers'> & { content: MailContent };

function plain(content: MailContent, replyTo: string | null = null): Body {
  return { content, replyTo, headers: {}, matchIds: [], notificationIds: [] };
}

async function usernameOf(queryable: Queryable, userId: number | null): Promise<string> {
  const { rows } = await queryable.query<{ username: string }>('select username from users where id = $1', [userId]);
  return rows[0]?.username ?? '';
}

async function alertBody(queryable: Queryable, site: MailSite, mail: ClaimedMail, now: Date): Promise<Body | null> {
  const words = await readAlertWords(queryable, site, mail.alertId ?? 0, now);
  if (!words) return null;
  const headers = {
    'List-Unsubscribe': `<${words.foot.unsubscribeUrl}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
  if (mail.kind === 'test') return { ...plain(testMail(words)), headers };
  if (mail.kind === 'reminder') return { ...plain(reminderMail(words)), headers };
  if (mail.kind === 'expired') return { ...plain(expiredMail(words)), headers };
  const cars = await readMailCars(queryable, site, mail.id);
  if (cars.length === 0) return null;
  return {
    content: matchMail({ ...words, cars }),
    replyTo: null,
    headers,
    matchIds: [...new Set(cars.flatMap((car) => `${car.listingId}:${mail.alertId}`))],
    notificationIds: cars.flatMap((car) => car.notificationIds),
  };
}

async function accountBody(queryable: Queryable, site: MailSite, mail: ClaimedMail, now: Date): Promise<Body | null> {
  const username = await usernameOf(queryable, mail.userId);
  const userId = mail.userId ?? 0;
  const signed = (action: 'confirm-email' | 'reset', passwordMark = '') =>
    action === 'reset'
      ? signToken(site.secret, { action, userId, passwordMark, expiresAt: linkExpiry(action, now) })
      : signToken(site.secret, { action, userId, email: mail.to, expiresAt: linkExpiry(action, now) });
  switch (mail.kind) {
    case 'confirm':
      return plain(confirmMail({ username, confirmUrl: `${site.publicUrl}/confirm-email/${signed('confirm-email')}` }));
    case 'address_taken':
      return plain(addressTakenMail({ username, signInUrl: `${site.publicUrl}/auth` }));
    case 'reset': {
      const { passwordMark } = mail.data as unknown as MailData['reset'];
      return plain(
        resetMail({ username, resetUrl: `${site.publicUrl}/reset-password/${signed('reset', passwordMark)}` }),
      );
    }
    case 'address_changed': {
      const { newAddress } = mail.data as unknown as MailData['address_changed'];
      return plain(addressChangedMail({ username, newAddress, supportEmail: site.supportEmail }));
    }
    case 'contact': {
      const message = mail.data as unknown as MailData['contact'];
      return plain(contactMail(message), message.email);
    }
    default:
      return null;
  }
}

const alertKinds = new Set(['match', 'test', 'reminder', 'expired']);

/** Makes a claimed mail ready to hand over; null when there is nothing left to say (its alert or cars are gone). */
export async function renderMail(
  queryable: Queryable,
  site: MailSite,
  mail: ClaimedMail,
): Promise<OutgoingMail | null> {
  const now = new Date();
  const body = await (alertKinds.has(mail.kind) ? alertBody : accountBody)(queryable, site, mail, now);
  if (body === null) return null;
  const { content, headers, ...rest } = body;
  return {
    id: mail.id,
    kind: mail.kind,
    to: mail.to,
    alertId: mail.alertId,
    ...content,
    ...rest,
    headers: { 'X-LotWatch-Id': mail.id, ...headers },
  };
}
