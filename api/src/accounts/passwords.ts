import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { EntityManager } from '@mikro-orm/postgresql';
import { hash, verify } from '@node-rs/argon2';
import { AppError, refuseInvalid } from '../base/errors.ts';
import { currentPasswordSchema, nameInPasswordFault, PASSWORD_MIN } from '../domain/forms/password.ts';
import { parseForm } from '../domain/validate-form.ts';
import { sqlOf } from '../entities/sql-of.ts';

/** Argon2id (the library's default) with the costs that OWASP names first. */
const costs = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

let decoy: Promise<string> | undefined;

/** @returns the encoded Argon2id hash with its salt */
export function hashPassword(password: string): Promise<string> {
  return hash(password, costs);
}

/**
 * Whether the password matches the hash.
 * @param passwordHash null for an unknown user, for whom the answer takes as long as for a wrong password
 */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword('nobody has this password');
  const fits = await verify(passwordHash ?? (await decoy), password);
  return fits && passwordHash !== null;
}

/** The user of a new password. */
export interface PasswordOwner {
  username: string;
  email: string | null;
}

const REFUSED = 10_000;
/** Sorted from the most common one, in lower case. */
const LIST = '@zxcvbn-ts/language-common/src/passwords.json';

let common: Promise<ReadonlySet<string>> | undefined;

/** Reads the common passwords that are long enough to be set. It is done at the first use, since the list has half a megabyte. */
async function readCommon(): Promise<ReadonlySet<string>> {
  const list: unknown = JSON.parse(await readFile(createRequire(import.meta.url).resolve(LIST), 'utf8'));
  const longEnough = (list as string[]).filter((password) => password.length >= PASSWORD_MIN);
  return new Set(longEnough.slice(0, REFUSED));
}

/** Why a password is easily guessed; undefined when it is not. Its length is checked elsewhere. */
export async function findWeakness(password: string, owner: PasswordOwner): Promise<string | undefined> {
  common ??= readCommon();
  if ((await common).has(password.trim().toLowerCase()))
    return 'This password is one of the most common ones. Please choose another.';
  return nameInPasswordFault(password, owner);
}

/** @param field the form field of the message @throws AppError VALIDATION */
export async function refuseWeakPassword(
  password: string,
  owner: PasswordOwner,
  field: 'password' | 'newPassword',
): Promise<void> {
  const fault = await findWeakness(password, owner);
  if (fault !== undefined) refuseInvalid({ [field]: fault });
}

/**
 * Checks that the user knows the current password.
 * @returns its hash
 * @throws AppError VALIDATION on `currentPassword`, UNAUTHENTICATED when the account is gone
 */
export async function verifyOwnPassword(em: EntityManager, userId: number, currentPassword: string): Promise<string> {
  parseForm(currentPasswordSchema, { currentPassword });
  const { rows } = await sqlOf(em).query<{ hash: string }>('select password_hash as hash from users where id = $1', [
    userId,
  ]);
  const hash = rows[0]?.hash;
  if (hash === undefined) throw new AppError('UNAUTHENTICATED', 'Please sign in first.');
  if (!(await verifyPassword(hash, currentPassword.slice(0, 1000)))) refuseCurrentPassword();
  return hash;
}

/** @throws AppError VALIDATION on `currentPassword` */
export function refuseCurrentPassword(): never {
  const message = 'Current password is incorrect';
  throw new AppError('VALIDATION', message, { fields: { currentPassword: message } });
}

/**
 * A fingerprint of an account's password and address that its reset links carry. It changes with either, so that a link
 * works once, and only while the account has the address that the link was mailed to.
 */
export function passwordMark(passwordHash: string, email: string): string {
  const digest = createHash('sha256').update(`${passwordHash}\n${email.toLowerCase()}`).digest();
  return digest.subarray(0, 18).toString('base64url');
}
