import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { refuseInvalid } from '../../base/errors.ts';
import { namesFault, PASSWORD_MIN } from '../../domain/forms/password.ts';

/** Whose password it is to be. */
export interface PasswordOwner {
  username: string;
  email: string | null;
}

const REFUSED = 10_000;
/** The most common first, in lower case. */
const LIST = '@zxcvbn-ts/language-common/src/passwords.json';

let common: Promise<ReadonlySet<string>> | undefined;

/** Those of a length that we would take. Read with the first password that is set: the list is half a megabyte. */
async function readCommon(): Promise<ReadonlySet<string>> {
  const list: unknown = JSON.parse(await readFile(createRequire(import.meta.url).resolve(LIST), 'utf8'));
  const longEnough = (list as string[]).filter((password) => password.length >= PASSWORD_MIN);
  return new Set(longEnough.slice(0, REFUSED));
}

/** Why a password of a length that is taken is none: it is among those that are guessed first. */
export async function weaknessOf(password: string, owner: PasswordOwner): Promise<string | undefined> {
  common ??= readCommon();
  if ((await common).has(password.trim().toLowerCase()))
    return 'This password is one of the most common ones. Please choose another.';
  return namesFault(password, owner);
}

/** @param field where it is said @throws AppError VALIDATION */
export async function refuseWeakPassword(
  password: string,
  owner: PasswordOwner,
  field: 'password' | 'newPassword',
): Promise<void> {
  const fault = await weaknessOf(password, owner);
  if (fault !== undefined) refuseInvalid({ [field]: fault });
}
