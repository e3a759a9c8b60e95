import { describe, expect, it } from 'vitest';
import { linkExpiry, readToken, signToken, type TokenClaims } from './action-links.ts';

const secret = 'a secret that is long enough for this';
const now = new Date('2026-03-01T12:00:00Z');
const day = 86_400_000;
const after = (ms: number) => new Date(now.getTime() + ms);

const claims: TokenClaims[] = [
  { action: 'renew', alertId: 5, userId: 7 },
  { action: 'pause', alertId: 5, userId: 7 },
  { action: 'unsubscribe', alertId: 5, userId: 7 },
  { action: 'fewer', alertId: 5, userId: 7 },
  { action: 'daily', alertId: 5, userId: 7 },
  { action: 'dismiss', alertId: 5, userId: 7, listingId: 9 },
  { action: 'confirm-email', userId: 7, email: 'ada+ü@example.com' },
  { action: 'undo-email', userId: 7, email: 'ada+ü@example.com' },
  { action: 'reset', userId: 7, passwordMark: 'abc' },
];

describe('a signed token', () => {
  it.each(claims)('returns the claims that were signed: $action', (one) => {
    const token = signToken(secret, { ...one, expiresAt: after(day) });
    expect(token).toMatch(/^[\w-]+\.[\w-]+$/);
    expect(readToken(secret, token, now)).toEqual({ ok: true, claims: one });
  });

  it('expires at the given time, and then names its action', () => {
    const token = signToken(secret, { action: 'renew', alertId: 5, userId: 7, expiresAt: after(60 * day) });
    expect(readToken(secret, token, after(60 * day - 1))).toMatchObject({ ok: true });
    const claims = { action: 'renew', alertId: 5, userId: 7 };
    expect(readToken(secret, token, after(60 * day))).toEqual({ ok: false, reason: 'expired', claims });
  });

  it('is verified with a former secret too, but signed with the newest', () => {
    const rotated = ['a secret that came after it, as long', secret] as const;
    const token = (one: Parameters<typeof signToken>[0]) =>
      signToken(one, { action: 'unsubscribe', alertId: 5, userId: 7, expiresAt: null });
    expect(readToken(rotated, token(secret), now)).toMatchObject({ ok: true });
    expect(readToken(rotated[0], token(rotated), now)).toMatchObject({ ok: true });
    expect(readToken(secret, token(rotated), now)).toMatchObject({ ok: false, reason: 'invalid' });
    expect(readToken(rotated, token('a third secret, which is not configured'), now)).toMatchObject({ ok: false });
  });

  it('never expires without a time', () => {
    const token = signToken(secret, { action: 'unsubscribe', alertId: 5, userId: 7, expiresAt: null });
    expect(readToken(secret, token, after(40_000 * day))).toMatchObject({ ok: true });
  });

  it('is refused with any character changed, removed or added', () => {
    const token = signToken(secret, { action: 'pause', alertId: 5, userId: 7, expiresAt: null });
    const changed = [...token].map(
      (letter, at) => token.slice(0, at) + (letter === 'A' ? 'B' : 'A') + token.slice(at + 1),
    );
    for (const other of [
      ...changed,
      token.slice(0, -1),
      `${token}A`,
      `${token}.x`,
      `${token}=`,
      token.split('.')[0] ?? '',
    ]) {
      expect(readToken(secret, other, now)).toEqual({ ok: false, reason: 'invalid' });
    }
  });

  it('is refused without a signature, or with that of another secret', () => {
    const token = signToken('another secret that is long enough', {
      action: 'pause',
      alertId: 5,
      userId: 7,
      expiresAt: null,
    });
    const none = Buffer.from('{"action":"pause","alertId":5,"userId":7,"expiry":null}').toString('base64url');
    for (const other of [token, `${none}.`, '', '.', 'x', 'a'.repeat(10_000)]) {
      expect(readToken(secret, other, now)).toMatchObject({ ok: false, reason: 'invalid' });
    }
  });
});

describe('linkExpiry', () => {
  it.each([
    ['renew', 60],
    ['pause', 60],
    ['confirm-email', 7],
    ['reset', 1 / 24],
  ] as const)('lets a link of %s work for %f days', (action, days) => {
    expect(linkExpiry(action, now)).toEqual(after(days * day));
  });
  it('never lets a link of unsubscribe expire', () => expect(linkExpiry('unsubscribe', now)).toBeNull());
});
