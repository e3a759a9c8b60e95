import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '../../base/errors.ts';
import type { Secret } from '../../base/secret.ts';
import { readToken } from '../../domain/action-links.ts';
import { sqlOf } from '../../entities/sql-of.ts';
import { passwordMark } from './password-mark.ts';

const refusals = {
  invalid: 'This link is not valid. Please ask for a new one.',
  expired: 'This link has expired. Please ask for a new one.',
  used: 'This link has already been used, or your password or email has changed since. Please ask for a new one.',
} as const;

/** `fields.token` tells a link that can't work from a password that can't be taken. */
export function refuseLink(reason: keyof typeof refusals): never {
  throw new AppError('VALIDATION', refusals[reason], { fields: { token: refusals[reason] } });
}

/** The account that a mailed link was made for. */
export interface ResetAccount {
  userId: number;
  username: string;
  email: string;
  passwordHash: string;
}

/**
 * Whose password the token of a mailed link may set now.
 * @throws AppError VALIDATION with `fields.token`
 */
export async function readResetToken(
  em: EntityManager,
  linkSecret: Secret,
  { token, now }: { token: string; now: Date },
): Promise<ResetAccount> {
  const reading = readToken(linkSecret, token, now);
  if (!reading.ok && reading.action === 'reset') refuseLink('expired');
  if (!reading.ok || reading.claims.action !== 'reset') refuseLink('invalid');
  const { userId, passwordMark: mark } = reading.claims;
  const { rows } = await sqlOf(em).query<{ username: string; email: string | null; passwordHash: string }>(
    'select username, email, password_hash as "passwordHash" from users where id = $1',
    [userId],
  );
  const [account] = rows;
  const email = account?.email;
  if (!account || !email || passwordMark(account.passwordHash, email) !== mark) refuseLink('used');
  return { ...account, userId, email };
}
