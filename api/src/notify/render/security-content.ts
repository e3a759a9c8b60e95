import { localMoment } from '../../domain/local-date.ts';
import type { QueuedData } from '../../entities/shared/queue-mail.ts';
import type { MailContent } from '../../messages/mail-layout.ts';
import {
  keyChangedMail,
  passwordChangedMail,
  secondFactorMail,
  webhookChangedMail,
} from '../../messages/security-mails.ts';

/** What a mail about who can get into an account says; null for any other kind. Times are of the user's time zone. */
export function securityContent(
  { username, timeZone }: { username: string; timeZone: string },
  { publicUrl, supportEmail }: { publicUrl: string; supportEmail: string },
  queued: QueuedData,
): MailContent | null {
  const moment = (time: string) => localMoment(new Date(time), timeZone);
  const about = (at: string) => ({ username, when: moment(at), forgotUrl: `${publicUrl}/forgot-password` });
  switch (queued.kind) {
    case 'key_changed': {
      const { at, worksUntil, ...change } = queued.data;
      return keyChangedMail(about(at), { ...change, worksUntil: worksUntil === null ? null : moment(worksUntil) });
    }
    case 'webhook_changed': {
      const { at, ...change } = queued.data;
      return webhookChangedMail(about(at), change);
    }
    case 'password_changed':
      return passwordChangedMail(about(queued.data.at), queued.data, supportEmail);
    case 'second_factor_changed':
      return secondFactorMail(about(queued.data.at), queued.data.what, supportEmail);
    default:
      return null;
  }
}
