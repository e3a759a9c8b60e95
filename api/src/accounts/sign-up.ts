import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '../base/errors.ts';
import { sqlOf } from '../entities/sql-of.ts';
import { User } from '../entities/user.ts';
import { checkRegistration, type Registration, type RegistrationInput } from './account-input.ts';
import { type ConfirmationParts, withMinimumDuration } from './email/addresses.ts';
import { requestConfirmation } from './email/confirm-email.ts';
import { hashPassword, refuseWeakPassword } from './passwords.ts';

/** Longer than it takes to store an account and queue its mail; not every registration has a mail. */
const STORED_AFTER_MS = 100;

/**
 * Creates an account. With an address that another account has confirmed, the answer and its time are the same, and the
 * owner of the address gets a mail.
 * @throws AppError VALIDATION with `fields`, CONFLICT when the username is taken, in any case
 */
export async function signUp(em: EntityManager, parts: ConfirmationParts, input: RegistrationInput): Promise<User> {
  const registration = checkRegistration(input);
  await refuseWeakPassword(registration.password, registration, 'password');
  const passwordHash = await hashPassword(registration.password);
  return withMinimumDuration(STORED_AFTER_MS, () => storeAccount(em, parts, registration, passwordHash));
}

function storeAccount(
  em: EntityManager,
  parts: ConfirmationParts,
  registration: Registration,
  passwordHash: string,
): Promise<User> {
  return em.transactional(async (tx) => {
    const { rows } = await sqlOf(tx).query<{ id: number }>(
      `insert into users (username, email, phone, password_hash, time_zone)
       values ($1, $2, $3, $4, $5)
       on conflict (username_key) do nothing returning id`,
      [registration.username, registration.email, registration.phone, passwordHash, registration.timeZone],
    );
    const id = rows[0]?.id;
    if (id === undefined) {
      throw new AppError('CONFLICT', 'Username already exists', { fields: { username: 'Username already exists' } });
    }
    const user = await tx.findOneOrFail(User, { id });
    await requestConfirmation(tx, parts, user);
    return user;
  });
}
