import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { allOf, type Secret } from './secret.ts';

/** Keeps texts that the database must not show. */
export interface Seal {
  close(text: string): string;
  /** @throws Error when it was closed under another secret or for another purpose, or was changed */
  open(box: string): string;
  /**
   * The same closed anew, where it was closed under a secret before the newest; null where it was not.
   * @throws Error as `open`
   */
  renew(box: string): string | null;
}

const VERSION = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** What is in a box; null when it can't be opened, as where the secret has changed. */
export function tryOpen(seal: Pick<Seal, 'open'>, box: string): string | null {
  try {
    return seal.open(box);
  } catch {
    return null;
  }
}

function closeUnder(key: Buffer, text: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const closed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return `${VERSION}.${Buffer.concat([nonce, cipher.getAuthTag(), closed]).toString('base64url')}`;
}

function openUnder(key: Buffer, box: string): string {
  const [version, body = ''] = box.split('.');
  const bytes = Buffer.from(body, 'base64url');
  if (version !== VERSION || bytes.length < NONCE_BYTES + TAG_BYTES) throw new Error('This is no box of ours.');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
  return text.toString('utf8');
}

/**
 * AES-256-GCM under a key of its own for each purpose. A box is `v1.` and base64url of nonce, tag and text. What was
 * closed under a secret that is still known is opened too.
 * Source: RFC 5869 for the key, NIST SP 800-38D for the nonce of 96 random bits.
 */
export function makeSeal(secret: Secret, purpose: string): Seal {
  const [newest, ...others] = allOf(secret)
    .map((one) => Buffer.from(hkdfSync('sha256', one, '', `lotwatch ${purpose}`, 32)))
    .map((key) => ({ close: (text: string) => closeUnder(key, text), open: (box: string) => openUnder(key, box) }));
  if (!newest) throw new Error('A seal needs a secret.');
  const open = (box: string): string => {
    for (const key of [newest, ...others]) {
      const text = tryOpen(key, box);
      if (text !== null) return text;
    }
    throw new Error('No known secret opens this box.');
  };
  return {
    close: newest.close,
    open,
    renew: (box) => (tryOpen(newest, box) === null ? newest.close(open(box)) : null),
  };
}
