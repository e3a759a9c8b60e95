import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';
import { memoize } from '../base/memoize.ts';
import { allOf, newestOf, type Secret } from '../base/secret.ts';

/** What the links about an alert do. `fewer` offers a choice; `daily` makes it a daily digest. */
export type AlertAction = 'renew' | 'pause' | 'unsubscribe' | 'fewer' | 'daily';

/** What a signed link allows, and to whom. The token alone grants it, without a session. */
export type TokenClaims =
  | { action: AlertAction; alertId: number; userId: number }
  | { action: 'dismiss'; alertId: number; userId: number; listingId: number }
  | { action: 'confirm-email' | 'undo-email'; userId: number; email: string }
  | { action: 'reset'; userId: number; passwordMark: string };

export type TokenAction = TokenClaims['action'];

type TokenReading =
  | { ok: true; claims: TokenClaims }
  /** The claims of an expired token can be trusted, as its signature is valid, but allow nothing any more. */
  | { ok: false; reason: 'expired'; claims: TokenClaims }
  | { ok: false; reason: 'invalid' };

const DAY = 86_400_000;
/** For how many days a link works; null: it never expires. */
const lifetimeDays: Record<TokenAction, number | null> = {
  renew: 60,
  pause: 60,
  unsubscribe: null,
  fewer: 60,
  daily: 60,
  dismiss: 60,
  'confirm-email': 7,
  'undo-email': 7,
  reset: 1 / 24,
};

/** When a link that is mailed `now` expires; null for links that never do. */
export function linkExpiry(action: TokenAction, now: Date): Date | null {
  const days = lifetimeDays[action];
  return days === null ? null : new Date(now.getTime() + days * DAY);
}

/** The signing key that is derived from a secret. */
const keyOf = memoize(
  (secret: string): KeyObject =>
    createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', 'lotwatch action links', 32))),
  { maxEntries: 10 },
);

function signature(secret: string, payload: string): Buffer {
  return createHmac('sha256', keyOf(secret)).update(payload).digest();
}

/**
 * Signs a token, which needs no escaping in a URL.
 * @param secret of the installation; the newest one signs
 * @param claims with `expiresAt`: null if the token never expires
 */
export function signToken(secret: Secret, claims: TokenClaims & { expiresAt: Date | null }): string {
  const { expiresAt, ...rest } = claims;
  const expiry = expiresAt === null ? null : Math.floor(expiresAt.getTime() / 1000);
  const payload = Buffer.from(JSON.stringify({ ...rest, expiry })).toString('base64url');
  return `${payload}.${signature(newestOf(secret), payload).toString('base64url')}`;
}

/** Whether `given` is the payload's signature under one of the secrets. */
function isSigned(secret: Secret, payload: string, given: string): boolean {
  const bytes = Buffer.from(given, 'base64url');
  return allOf(secret).some((one) => {
    const expected = signature(one, payload);
    // The texts are compared too, as different texts of base64url can decode to the same bytes.
    const isSame = bytes.length === expected.length && timingSafeEqual(bytes, expected);
    return isSame && given === expected.toString('base64url');
  });
}

/** Verifies a token of `signToken` with any of the secrets. Never throws: a token that was not signed is 'invalid'. */
export function readToken(secret: Secret, token: string, now: Date): TokenReading {
  const [payload, given, ...more] = token.split('.');
  if (payload === undefined || given === undefined || more.length > 0 || token.length > 2_000) return invalid;
  if (!isSigned(secret, payload, given)) return invalid;
  const { expiry, ...claims } = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as TokenClaims & {
    expiry: number | null;
  };
  if (expiry !== null && now.getTime() >= expiry * 1000) {
    return { ok: false, reason: 'expired', claims };
  }
  return { ok: true, claims };
}

const invalid: TokenReading = { ok: false, reason: 'invalid' };
