import type { Queryable } from '../base/database.ts';
import type { MailData } from '../domain/mail-kinds.ts';
import { enqueueMail } from './enqueue-mail.ts';

/** Mails that notify an account's owner of a change to it. */
type OwnerKind = 'key_changed' | 'webhook_changed' | 'push_added' | 'password_changed' | 'second_factor_changed';

export interface OwnerNotice<K extends OwnerKind = OwnerKind> {
  userId: number;
  kind: K;
  data: MailData[K];
  /** Whether an unconfirmed address gets nothing. */
  confirmEmail: boolean;
}

/** Notifies the owner by mail, once the transaction has committed. @param client of the transaction that makes the change */
export async function notifyOwner<K extends OwnerKind>(client: Queryable, notice: OwnerNotice<K>): Promise<void> {
  const { userId, kind, data, confirmEmail } = notice;
  // Where addresses need no confirmation, an unconfirmed one is used too, unless another account has confirmed it.
  const { rows } = await client.query<{ to: string }>(
    `select email as "to" from users u
      where id = $1 and email is not null
        and (email_confirmed_at is not null or not $2::bool and not exists (
              select from users o where lower(o.email) = lower(u.email) and o.email_confirmed_at is not null))`,
    [userId, confirmEmail],
  );
  for (const { to } of rows) await enqueueMail(client, { kind, userId, to, data });
}
