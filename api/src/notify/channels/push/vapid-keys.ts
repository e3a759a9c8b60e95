import type { Queryable } from '../../../base/database.ts';
import type { Encryption } from '../../../base/encryption.ts';
import type { VapidKeys } from '../../../vendors/push/push.ts';
import { newVapidKeys } from '../../../vendors/push/web-push.ts';

interface KeyRow {
  publicKey: string;
  privateCiphertext: string;
}

async function readRow(db: Queryable): Promise<KeyRow | undefined> {
  const { rows } = await db.query<KeyRow>(
    'select public_key as "publicKey", private_ciphertext as "privateCiphertext" from vapid_keys',
  );
  return rows[0];
}

/**
 * Makes the pair of keys of this installation if there is none. Of several processes that start together one makes it, as
 * browsers bind their subscriptions to the public key.
 * @returns the public key
 */
export async function ensureVapidKeys(db: Queryable, encryption: Encryption): Promise<string> {
  const known = await readRow(db);
  if (known) return known.publicKey;
  const { publicKey, privateKey } = newVapidKeys();
  await db.query('insert into vapid_keys (public_key, private_ciphertext) values ($1, $2) on conflict do nothing', [
    publicKey,
    encryption.encrypt(privateKey),
  ]);
  return (await readRow(db))?.publicKey ?? publicKey;
}

/** Reads the pair of keys. @throws Error when no known secret decrypts the private one */
export async function readVapidKeys(db: Queryable, encryption: Encryption): Promise<VapidKeys> {
  await ensureVapidKeys(db, encryption);
  const row = await readRow(db);
  if (!row) throw new Error('The keys for push messages are missing.');
  return { publicKey: row.publicKey, privateKey: encryption.decrypt(row.privateCiphertext) };
}
