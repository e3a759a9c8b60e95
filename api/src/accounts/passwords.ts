import { hash, verify } from '@node-rs/argon2';

/** Argon2id (the library's default) at OWASP's first choice of costs. */
const costs = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

let decoy: Promise<string> | undefined;

/** @returns the encoded Argon2id hash, salt included. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, costs);
}

/**
 * Whether the password belongs to the hash.
 * @param passwordHash null for an unknown user: takes as long as a wrong password and says no.
 */
export async function passwordFits(passwordHash: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword('nobody has this password');
  const fits = await verify(passwordHash ?? (await decoy), password);
  return fits && passwordHash !== null;
}
