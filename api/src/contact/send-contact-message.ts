import type { EntityManager } from '@mikro-orm/postgresql';
import { NOBODY } from '../domain/mail-kinds.ts';
import { sqlOf } from '../entities/sql-of.ts';
import { enqueueMail } from '../notify/enqueue-mail.ts';
import type { ContactInput } from './contact-input.ts';

/**
 * Stores a message and queues it as a mail to the support address, in one transaction.
 * @param userId null for a visitor
 * @param message checked by `checkContactMessage`
 */
export async function sendContactMessage(
  em: EntityManager,
  { supportEmail }: { supportEmail: string },
  userId: number | null,
  message: ContactInput,
): Promise<void> {
  const { name, email, subject } = message;
  await em.transactional(async (tx) => {
    await sqlOf(tx).query(
      'insert into contact_messages (user_id, name, email, subject, message) values ($1, $2, $3, $4, $5)',
      [userId, name, email, subject, message.message],
    );
    await enqueueMail(sqlOf(tx), { kind: 'contact', userId: userId ?? NOBODY, to: supportEmail, data: message });
  });
}
