import type { EntityManager } from '@mikro-orm/postgresql';
import { queueMail } from '../../entities/shared/queue-mail.ts';
import { sqlOf } from '../../entities/sql-of.ts';
import { checkEmail } from '../account-input.ts';
import type { ConfirmationParts } from '../email/request-confirmation.ts';
import { passwordMark } from './password-mark.ts';
import { takeAtLeast } from './take-at-least.ts';

/** Longer than finding accounts and queueing their mails takes. */
const ANSWER_AFTER_MS = 250;
/** An address belongs to one account once it is confirmed; until then strangers can put it into any number. */
const ACCOUNTS_AT_MOST = 5;

/**
 * Mails a link to every account with this address, and answers alike, as late, when there is none. Each link names its
 * account and works for that one alone.
 *
 * Whose: the account that has confirmed the address comes first. Accounts that only claim it get a link too where
 * addresses need no confirmation, as then hardly any is confirmed: the mail reaches the owner of the address alone, so
 * whoever claims a foreign one has given that account away, never the other way round. Where addresses do need one,
 * an unconfirmed address gets nothing but its confirmation, and the link at the next request.
 * @param request `maySend` is false where this address was asked for often: nothing is mailed, and nobody is told
 * @throws AppError VALIDATION
 */
export async function requestPasswordReset(
  em: EntityManager,
  parts: ConfirmationParts,
  { email, maySend }: { email: string; maySend: boolean },
): Promise<void> {
  const address = checkEmail(email);
  await takeAtLeast(ANSWER_AFTER_MS, async () => {
    if (maySend) await em.transactional((tx) => mailLinks(tx, parts, address));
  });
}

interface Account {
  id: number;
  email: string;
  passwordHash: string;
  isConfirmed: boolean;
}

async function mailLinks(em: EntityManager, { confirmEmail }: ConfirmationParts, address: string): Promise<void> {
  const { rows: accounts } = await sqlOf(em).query<Account>(
    `select id, email, password_hash as "passwordHash", email_confirmed_at is not null as "isConfirmed"
       from users where lower(email) = lower($1)
      order by email_confirmed_at is null, last_seen_at desc limit ${ACCOUNTS_AT_MOST}`,
    [address],
  );
  const hasOwner = accounts.some(({ isConfirmed }) => isConfirmed);
  for (const { id, email, passwordHash, isConfirmed } of accounts) {
    const mail = { userId: id, to: email };
    if (isConfirmed || !confirmEmail) {
      await queueMail(sqlOf(em), { ...mail, kind: 'reset', data: { passwordMark: passwordMark(passwordHash, email) } });
    } else if (!hasOwner) {
      await queueMail(sqlOf(em), { ...mail, kind: 'confirm', data: {} });
    }
  }
}
