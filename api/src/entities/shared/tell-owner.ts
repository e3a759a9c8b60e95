import type { Queryable } from '../../base/database.ts';
import { type MailData, queueMail } from './queue-mail.ts';

/** Mails that tell an account's owner what was done to it. */
type OwnerKind = 'key_changed' | 'webhook_changed' | 'password_changed' | 'second_factor_changed';

export interface OwnerNews<K extends OwnerKind = OwnerKind> {
  userId: number;
  kind: K;
  data: MailData[K];
  /** Whether an unconfirmed address gets nothing. */
  confirmEmail: boolean;
}

/** Tells by mail, once the transaction commits. @param client of the transaction that makes the change */
export async function tellOwner<K extends OwnerKind>(client: Queryable, news: OwnerNews<K>): Promise<void> {
  const { userId, kind, data, confirmEmail } = news;
  // An address that nobody confirmed is used where none needs to be, unless another account has confirmed it.
  const { rows } = await client.query<{ to: string }>(
    `select email as "to" from users u
      where id = $1 and email is not null
        and (email_confirmed_at is not null or not $2::bool and not exists (
              select from users o where lower(o.email) = lower(u.email) and o.email_confirmed_at is not null))`,
    [userId, confirmEmail],
  );
  for (const { to } of rows) await queueMail(client, { kind, userId, to, data });
}
