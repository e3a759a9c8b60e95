import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '../../base/errors.ts';
import { currentPasswordSchema } from '../../domain/forms/password.ts';
import { readForm } from '../../domain/judge-form.ts';
import { sqlOf } from '../../entities/sql-of.ts';
import { passwordFits } from '../passwords.ts';

/**
 * Proves that the user knows the current password.
 * @returns the hash that it fits
 * @throws AppError VALIDATION on `currentPassword`
 */
export async function proveOwnPassword(em: EntityManager, userId: number, currentPassword: string): Promise<string> {
  readForm(currentPasswordSchema, { currentPassword });
  const { rows } = await sqlOf(em).query<{ hash: string }>('select password_hash as hash from users where id = $1', [
    userId,
  ]);
  const hash = rows[0]?.hash;
  if (hash === undefined) throw new AppError('UNAUTHENTICATED', 'Please sign in first.');
  if (!(await passwordFits(hash, currentPassword.slice(0, 1000)))) refuseCurrentPassword();
  return hash;
}

/** @throws AppError VALIDATION on `currentPassword` */
export function refuseCurrentPassword(): never {
  const message = 'Current password is incorrect';
  throw new AppError('VALIDATION', message, { fields: { currentPassword: message } });
}
