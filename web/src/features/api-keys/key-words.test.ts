import { describe, expect, it } from 'vitest';
import { endText, isLive, lastUsedText, scopesText, stateText } from './key-words.ts';

const now = new Date('2026-03-02T12:00:00Z');

describe('a key in words', () => {
  it.each([
    ['active', null, 'Active'],
    ['replaced', '2026-03-03T11:00:00Z', 'Ends in 23 h'],
    ['replaced', '2026-03-02T12:40:00Z', 'Ends in 40 min'],
    ['replaced', '2026-03-02T11:59:59Z', 'Ends in 1 min'],
    ['expired', '2026-03-01T12:00:00Z', 'Ended'],
    ['revoked', null, 'Revoked'],
  ] as const)('that is %s until %s: %s', (state, expiresAt, text) => {
    expect(stateText({ state, expiresAt }, now)).toBe(text);
    expect(isLive({ state })).toBe(['active', 'replaced'].includes(state));
  });

  it('shows its scopes, its last use and its end', () => {
    expect(scopesText({ scopes: ['read'] })).toBe('Read only');
    expect(scopesText({ scopes: ['read', 'write'] })).toBe('Read and write');
    expect(lastUsedText({ lastUsedAt: null }, now)).toBe('Never used');
    expect(lastUsedText({ lastUsedAt: '2026-03-02T11:57:00Z' }, now)).toBe('Used 3 min ago');
    expect(endText({ revokedAt: '2026-02-20T12:00:00Z', expiresAt: null }, now)).toBe('Feb 20');
  });
});
