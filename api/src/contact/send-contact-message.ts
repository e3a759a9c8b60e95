import type { EntityManager } from '@mikro-orm/postgresql';
import { queueMailWith } from '../entities/shared/queue-mail.ts';
import type { ContactInput } from './contact-input.ts';

/**
 * Keeps a message and mails it to those who run LotWatch: both or neither.
 * @param userId of whoever is signed in; null for a visitor
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
    await tx.execute('insert into contact_messages (user_id, name, email, subject, message) values (?, ?, ?, ?, ?)', [
      userId,
      name,
      email,
      subject,
      message.message,
    ]);
    await queueMailWith(tx, { kind: 'contact', userId, to: supportEmail, data: message });
  });
}
