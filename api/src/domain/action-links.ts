import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';
import { allOf, newestOf, type Secret } from '../base/secret.ts';

/** What a signed link allows, and whose it is. The token is the whole authority: no session is asked for. */
export type TokenClaims =
  | { action: 'renew' | 'pause' | 'unsubscribe'; alertId: number; userId: number }
  | { action: 'confirm-email' | 'undo-email'; userId: number; email: string }
  | { action: 'reset'; userId: number; passwordMark: string };

export type TokenAction = TokenClaims['action'];

type TokenReading =
  | { ok: true; claims: TokenClaims }
  /** `action` is trustworthy where it is given: only an expired token has passed the signature. */
  | { ok: false; reason: 'invalid' | 'expired'; action: TokenAction | null };

const DAY = 86_400_000;
/** Days that a link works; null is for ever. */
const lifetimeDays: Record<TokenAction, number | null> = {
  renew: 60,
  pause: 60,
  unsubscribe: null,
  'confirm-email': 7,
  'undo-email': 7,
  reset: 1 / 24,
};

/** When a link that is mailed `now` stops working; null for links that never do. */
export function linkExpiry(action: TokenAction, now: Date): Date | null {
  const days = lifetimeDays[action];
  return days === null ? null : new Date(now.getTime() + days * DAY);
}

/** An installation has few secrets, and a mail three links: each key is derived once. */
const derived = new Map<string, KeyObject>();
const KEYS_AT_MOST = 10;

function keyOf(secret: string): KeyObject {
  const known = derived.get(secret);
  if (known) return known;
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', 'lotwatch action links', 32)));
  if (derived.size >= KEYS_AT_MOST) derived.clear();
  derived.set(secret, key);
  return key;
}

function signature(secret: string, payload: string): Buffer {
  return createHmac('sha256', keyOf(secret)).update(payload).digest();
}

/**
 * Makes a token that can be put into an address.
 * @param secret of the installation; the key is derived from the newest
 * @param expiresAt null: works for ever
 */
export function signToken(secret: Secret, claims: TokenClaims & { expiresAt: Date | null }): string {
  const { expiresAt, ...rest } = claims;
  const expiry = expiresAt === null ? null : Math.floor(expiresAt.getTime() / 1000);
  const payload = Buffer.from(JSON.stringify({ ...rest, expiry })).toString('base64url');
  return `${payload}.${signature(newestOf(secret), payload).toString('base64url')}`;
}

/** Whether the text after the point is what one of the secrets makes of the payload. */
function isSigned(secret: Secret, payload: string, given: string): boolean {
  const bytes = Buffer.from(given, 'base64url');
  return allOf(secret).some((one) => {
    const expected = signature(one, payload);
    // Compared as text too: base64url has spellings that decode to the same bytes.
    const isSame = bytes.length === expected.length && timingSafeEqual(bytes, expected);
    return isSame && given === expected.toString('base64url');
  });
}

/** Reads a token of `signToken` with any of the secrets; never throws. A changed, cut or foreign one is 'invalid'. */
export function readToken(secret: Secret, token: string, now: Date): TokenReading {
  const [payload, given, ...more] = token.split('.');
  if (payload === undefined || given === undefined || more.length > 0 || token.length > 2_000) return invalid;
  if (!isSigned(secret, payload, given)) return invalid;
  const { expiry, ...claims } = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as TokenClaims & {
    expiry: number | null;
  };
  if (expiry !== null && now.getTime() >= expiry * 1000) {
    return { ok: false, reason: 'expired', action: claims.action };
  }
  return { ok: true, claims };
}

const invalid: TokenReading = { ok: false, reason: 'invalid', action: null };
