import type { EntityManager } from '@mikro-orm/postgresql';
import type { Viewer } from '../accounts/signed-in.ts';
import { AppError } from '../base/errors.ts';
import { Alert } from '../entities/alert.ts';
import { sqlOf } from '../entities/sql-of.ts';
import { User } from '../entities/user.ts';
import { readSuppression } from '../notify/channels/email/suppress-addresses.ts';
import { enqueueMail } from '../notify/enqueue-mail.ts';

/**
 * Queues a sample mail of the viewer's alert. @returns where it goes
 * @throws AppError NOT_FOUND, VALIDATION without an address that may get mail, CONFLICT where it is suppressed
 */
export async function sendTestNotification(
  em: EntityManager,
  { confirmEmail }: { confirmEmail: boolean },
  viewer: Viewer,
  alertId: number,
): Promise<string> {
  const alert = await em.findOne(Alert, { id: alertId, userId: viewer.id });
  if (!alert) throw new AppError('NOT_FOUND', 'Alert not found');
  const user = await em.findOneOrFail(User, { id: viewer.id });
  if (!user.email) throw new AppError('VALIDATION', 'There is no email address in your settings.');
  if (confirmEmail && !user.emailConfirmedAt) {
    throw new AppError('VALIDATION', 'Please confirm your email address first.');
  }
  if (await readSuppression(sqlOf(em), user.email)) {
    throw new AppError(
      'CONFLICT',
      'Mails to this address are stopped, as one came back or was reported. Resume them first.',
    );
  }
  await enqueueMail(sqlOf(em), { kind: 'test', userId: user.id, alertId, to: user.email, data: {} });
  return user.email;
}
