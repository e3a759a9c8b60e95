import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** What an API key may do. */
export enum ApiScope {
  read = 'read',
  write = 'write',
}

/** The rights of the key that a caller holds. */
export interface KeyRights {
  /** Number of the key. */
  id: number;
  scopes: readonly ApiScope[];
}

/** Whoever may change things may read them: each once, reading first. */
export function normalizedScopes(scopes: readonly ApiScope[]): ApiScope[] {
  if (scopes.includes(ApiScope.write)) return [ApiScope.read, ApiScope.write];
  return scopes.includes(ApiScope.read) ? [ApiScope.read] : [];
}

const MARK = 'lw_live_';
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** So many hold 256 bits. */
const SECRET_DIGITS = 43;
const CHECK_DIGITS = 6;
const SHOWN_DIGITS = 8;
const shape = new RegExp(`^${MARK}[0-9A-Za-z]{${SECRET_DIGITS + CHECK_DIGITS}}$`);

/** An API key as it is held by its owner, and what is kept of it. */
interface ApiKeyText {
  text: string;
  /** Its beginning, by which it is told apart and found; the rest is as hard to guess without it. */
  prefix: string;
  /** SHA-256 of the text. */
  hash: Buffer;
}

function inDigits(value: bigint, length: number): string {
  let left = value;
  let text = '';
  while (text.length < length) {
    text = DIGITS.charAt(Number(left % 62n)) + text;
    left /= 62n;
  }
  return text;
}

const checkOf = (text: string): string => inDigits(BigInt(crc32(text)), CHECK_DIGITS);

function partsOf(text: string): ApiKeyText {
  return {
    text,
    prefix: text.slice(0, MARK.length + SHOWN_DIGITS),
    hash: createHash('sha256').update(text).digest(),
  };
}

/**
 * `lw_live_`, 43 digits and letters, and a checksum of six, so that a mistyped key is told apart without looking it up
 * and a key in the wrong place can be found by its shape.
 * @param random 32 bytes that nobody can guess
 */
export function makeApiKeyText(random: Uint8Array): ApiKeyText {
  const body = MARK + inDigits(BigInt(`0x${Buffer.from(random).toString('hex')}`), SECRET_DIGITS);
  return partsOf(body + checkOf(body));
}

/** Reads what a caller sent. @returns null for a text that was never a key of ours */
export function readApiKeyText(text: string): ApiKeyText | null {
  if (!shape.test(text)) return null;
  const body = text.slice(0, -CHECK_DIGITS);
  return text.endsWith(checkOf(body)) ? partsOf(text) : null;
}
