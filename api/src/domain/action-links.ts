import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';

/** What a signed link allows, and whose it is. The token is the whole authority: no session is asked for. */
export type TokenClaims =
  | { action: 'renew' | 'pause' | 'unsubscribe'; alertId: number; userId: number }
  | { action: 'confirm-email'; userId: number; email: string }
  | { action: 'reset'; userId: number; passwordMark: string };

export type TokenAction = TokenClaims['action'];

export type TokenReading =
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
  reset: 1 / 24,
};

/** When a link that is mailed `now` stops working; null for links that never do. */
export function linkExpiry(action: TokenAction, now: Date): Date | null {
  const days = lifetimeDays[action];
  return days === null ? null : new Date(now.getTime() + days * DAY);
}

/** An installation has one secret, and a mail three links: the key is derived once. */
let derived: { secret: string; key: KeyObject } | undefined;

function keyOf(secret: string): KeyObject {
  if (derived?.secret !== secret) {
    const bytes = Buffer.from(hkdfSync('sha256', secret, '', 'lotwatch action links', 32));
    derived = { secret, key: createSecretKey(bytes) };
  }
  return derived.key;
}

function signature(secret: string, payload: string): Buffer {
  return createHmac('sha256', keyOf(secret)).update(payload).digest();
}

/**
 * Makes a token that can be put into an address.
 * @param secret the installation's session secret; the key is derived from it
 * @param expiresAt null: works for ever
 */
export function signToken(secret: string, claims: TokenClaims & { expiresAt: Date | null }): string {
  const { expiresAt, ...rest } = claims;
  const expiry = expiresAt === null ? null : Math.floor(expiresAt.getTime() / 1000);
  const payload = Buffer.from(JSON.stringify({ ...rest, expiry })).toString('base64url');
  return `${payload}.${signature(secret, payload).toString('base64url')}`;
}

/** Reads a token of `signToken`; never throws. A changed, cut or foreign one is 'invalid'. */
export function readToken(secret: string, token: string, now: Date): TokenReading {
  const [payload, given, ...more] = token.split('.');
  if (payload === undefined || given === undefined || more.length > 0 || token.length > 2_000) return invalid;
  const expected = signature(secret, payload);
  const bytes = Buffer.from(given, 'base64url');
  // Compared as text too: base64url has spellings that decode to the same bytes.
  if (bytes.length !== expected.length || !timingSafeEqual(bytes, expected)) return invalid;
  if (given !== expected.toString('base64url')) return invalid;
  const { expiry, ...claims } = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as TokenClaims & {
    expiry: number | null;
  };
  if (expiry !== null && now.getTime() >= expiry * 1000) {
    return { ok: false, reason: 'expired', action: claims.action };
  }
  return { ok: true, claims };
}

const invalid: TokenReading = { ok: false, reason: 'invalid', action: null };
