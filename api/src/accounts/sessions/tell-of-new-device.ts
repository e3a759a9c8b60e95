import type { EntityManager } from '@mikro-orm/postgresql';
import { queueMail } from '../../entities/shared/queue-mail.ts';
import { sqlOf } from '../../entities/sql-of.ts';
import type { DeviceWords } from './device-words.ts';

interface SignedIn {
  userId: number;
  device: DeviceWords;
  at: Date;
}

/** Mails the account's address that somebody signed in on a new device; an unconfirmed one only where none need be. */
export async function tellOfNewDevice(
  em: EntityManager,
  { confirmEmail }: { confirmEmail: boolean },
  { userId, device, at }: SignedIn,
): Promise<void> {
  const { rows } = await sqlOf(em).query<{ email: string }>(
    'select email from users where id = $1 and email is not null and (email_confirmed_at is not null or not $2)',
    [userId, confirmEmail],
  );
  const [user] = rows;
  if (!user) return;
  const data = { at: at.toISOString(), browser: device.browser, system: device.system };
  await queueMail(sqlOf(em), { kind: 'new_device', userId, to: user.email, data });
}
