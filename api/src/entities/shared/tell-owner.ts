import type { EntityManager } from '@mikro-orm/postgresql';
import type { Queryable } from '../../base/database.ts';
import { type MailData, queueMail, queueMailWith } from './queue-mail.ts';

/** Mails that tell an account's owner what was done to it. */
type OwnerKind = 'key_changed' | 'webhook_changed' | 'password_changed' | 'second_factor_changed';

export interface OwnerNews<K extends OwnerKind = OwnerKind> {
  userId: number;
  kind: K;
  data: MailData[K];
  /** Whether an unconfirmed address gets nothing. */
  confirmEmail: boolean;
}

/** An address that nobody confirmed is used where none needs to be, unless another account has confirmed it. */
const addressOf = (place: (index: number) => string) => `
  select email as "to" from users u
   where id = ${place(1)} and email is not null
     and (email_confirmed_at is not null or not ${place(2)}::bool and not exists (
           select from users o where lower(o.email) = lower(u.email) and o.email_confirmed_at is not null))`;

/** Tells by mail, once the transaction commits. @param client of the transaction that makes the change */
export async function tellOwner<K extends OwnerKind>(client: Queryable, news: OwnerNews<K>): Promise<void> {
  const { userId, kind, data, confirmEmail } = news;
  const { rows } = await client.query<{ to: string }>(
    addressOf((index) => `$${index}`),
    [userId, confirmEmail],
  );
  for (const { to } of rows) await queueMail(client, { kind, userId, to, data });
}

/** `tellOwner` inside the ORM's transaction. */
export async function tellOwnerWith<K extends OwnerKind>(em: EntityManager, news: OwnerNews<K>): Promise<void> {
  const { userId, kind, data, confirmEmail } = news;
  const rows = await em.execute<{ to: string }[]>(
    addressOf(() => '?'),
    [userId, confirmEmail],
  );
  for (const { to } of rows) await queueMailWith(em, { kind, userId, to, data });
}
