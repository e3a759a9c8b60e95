import { AppError } from '../base/errors.ts';

/** For how long a session that gave the password is not asked for it again; signing in gives it too. */
export const PASSWORD_HOLDS_MS = 10 * 60_000;

/** Who came, and when their session was last given the password. */
export interface PasswordGiver {
  key?: object | null | undefined;
  passwordGivenAt?: Date | null | undefined;
}

const ASK = 'Please enter your current password to go on.';

/**
 * Whoever comes with a key has no password to give: the table of operations decides what keys may do.
 * @throws AppError PASSWORD_NEEDED
 */
export function requirePassword({ key, passwordGivenAt }: PasswordGiver, now = Date.now()): void {
  if (key || (passwordGivenAt && now - passwordGivenAt.getTime() < PASSWORD_HOLDS_MS)) return;
  throw new AppError('PASSWORD_NEEDED', ASK);
}
