import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { allOf, type Secret } from './secret.ts';

/** Encrypts texts that must not be readable in the database. */
export interface Encryption {
  encrypt(text: string): string;
  /** @throws Error when it was encrypted with another secret or for another purpose, or was changed */
  decrypt(ciphertext: string): string;
  /**
   * The same text encrypted with the newest secret; null when it already is.
   * @throws Error as `decrypt`
   */
  reencrypt(ciphertext: string): string | null;
}

const VERSION = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The text of a ciphertext; null when it can't be decrypted, for instance because the secret has changed. */
export function tryDecrypt(encryption: Pick<Encryption, 'decrypt'>, ciphertext: string): string | null {
  try {
    return encryption.decrypt(ciphertext);
  } catch {
    return null;
  }
}

function encryptWith(key: Buffer, text: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return `${VERSION}.${Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url')}`;
}

function decryptWith(key: Buffer, ciphertext: string): string {
  const [version, body = ''] = ciphertext.split('.');
  const bytes = Buffer.from(body, 'base64url');
  if (version !== VERSION || bytes.length < NONCE_BYTES + TAG_BYTES)
    throw new Error('The ciphertext has an unknown format.');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
  return text.toString('utf8');
}

/**
 * AES-256-GCM with a key of its own for each purpose. A ciphertext is `v1.` and base64url of nonce, tag and encrypted
 * text. It encrypts with the newest secret and decrypts with any of them.
 * Source: RFC 5869 for the key, NIST SP 800-38D for the nonce of 96 random bits.
 */
export function makeEncryption(secret: Secret, purpose: string): Encryption {
  const keys = allOf(secret).map((one) => Buffer.from(hkdfSync('sha256', one, '', `lotwatch ${purpose}`, 32)));
  const [newest] = keys;
  if (!newest) throw new Error('An encryption needs a secret.');
  const tryWith = (key: Buffer, ciphertext: string) =>
    tryDecrypt({ decrypt: (given) => decryptWith(key, given) }, ciphertext);
  const decrypt = (ciphertext: string): string => {
    for (const key of keys) {
      const text = tryWith(key, ciphertext);
      if (text !== null) return text;
    }
    throw new Error('No known secret decrypts this ciphertext.');
  };
  return {
    encrypt: (text) => encryptWith(newest, text),
    decrypt,
    reencrypt: (ciphertext) => (tryWith(newest, ciphertext) === null ? encryptWith(newest, decrypt(ciphertext)) : null),
  };
}
