import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** What an API key may do. */
export enum ApiScope {
  read = 'read',
  write = 'write',
}

/** The rights of the key that a caller holds. */
export interface KeyRights {
  /** The id of the key. */
  id: number;
  scopes: readonly ApiScope[];
}

/** The scopes without duplicates, in a fixed order; `write` includes `read`. */
export function normalizedScopes(scopes: readonly ApiScope[]): ApiScope[] {
  if (scopes.includes(ApiScope.write)) return [ApiScope.read, ApiScope.write];
  return scopes.includes(ApiScope.read) ? [ApiScope.read] : [];
}

const PREFIX = 'lw_live_';
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Enough for 256 bits. */
const SECRET_DIGITS = 43;
const CHECK_DIGITS = 6;
const SHOWN_DIGITS = 8;
const format = new RegExp(`^${PREFIX}[0-9A-Za-z]{${SECRET_DIGITS + CHECK_DIGITS}}$`);

/** An API key as its owner has it, with what is stored of it. */
interface ApiKeyText {
  text: string;
  /**
   * Its first characters, by which it is shown and found. The rest of them still holds enough bits not to be guessed.
   */
  prefix: string;
  /** SHA-256 of the text. */
  hash: Buffer;
}

function toBase62(value: bigint, length: number): string {
  let left = value;
  let text = '';
  while (text.length < length) {
    text = DIGITS.charAt(Number(left % 62n)) + text;
    left /= 62n;
  }
  return text;
}

const checksum = (text: string): string => toBase62(BigInt(crc32(text)), CHECK_DIGITS);

function withHash(text: string): ApiKeyText {
  return {
    text,
    prefix: text.slice(0, PREFIX.length + SHOWN_DIGITS),
    hash: createHash('sha256').update(text).digest(),
  };
}

/**
 * Makes an API key: `lw_live_`, 43 digits and letters, and a checksum of six. By the checksum a mistyped key is refused
 * without a query; by the prefix, scanners find keys that were published by mistake.
 * @param random 32 bytes of a cryptographic random number generator
 */
export function generateApiKey(random: Uint8Array): ApiKeyText {
  const body = PREFIX + toBase62(BigInt(`0x${Buffer.from(random).toString('hex')}`), SECRET_DIGITS);
  return withHash(body + checksum(body));
}

/** Parses a key that a caller sent. @returns null for a text that can't be one */
export function parseApiKey(text: string): ApiKeyText | null {
  if (!format.test(text)) return null;
  const body = text.slice(0, -CHECK_DIGITS);
  return text.endsWith(checksum(body)) ? withHash(text) : null;
}
