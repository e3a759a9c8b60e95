import { randomBytes, randomInt } from 'node:crypto';
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Makes the data folder, for its owner alone. @returns its absolute path */
export function makeDataFolder(dataDir: string): string {
  const folder = resolve(dataDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    chmodSync(folder, 0o700);
  } catch {
    // A mounted volume may belong to somebody else; what lies in it has modes of its own.
  }
  return folder;
}

/** Reads a value that was made once and is kept in the data folder, readable by its owner alone. */
export function keptValue(folder: string, name: string, make: () => string): string {
  const path = join(folder, name);
  const read = (): string | undefined => {
    try {
      return readFileSync(path, 'utf8').trim() || undefined;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  };
  const known = read();
  if (known !== undefined) return known;
  const draft = `${path}.${process.pid}.new`;
  writeFileSync(draft, `${make()}\n`, { mode: 0o600 });
  try {
    rmSync(path, { force: true });
    linkSync(draft, path);
  } catch (error) {
    // Two processes that start together: the first one's value counts.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return read() ?? '';
}

export const keptSessionSecret = (folder: string): string =>
  keptValue(folder, 'session-secret', () => randomBytes(48).toString('base64url'));

export const keptDemoSeed = (folder: string): number =>
  Number(keptValue(folder, 'demo-seed', () => String(randomInt(1, 2 ** 31))));

/** The payment sandbox's key and webhook secret, in the shape of Stripe's. */
export const keptSandboxSecrets = (folder: string): { secretKey: string; webhookSecret: string } => ({
  secretKey: keptValue(folder, 'sandbox-key', () => `sk_test_${randomBytes(24).toString('hex')}`),
  webhookSecret: keptValue(folder, 'sandbox-webhook-secret', () => `whsec_${randomBytes(24).toString('hex')}`),
});
