import { describe, expect, it } from 'vitest';
import { ApiScope } from '../domain/api-scope.ts';
import { PASSWORD_HOLDS_MS, passwordOperations, requirePassword, requirePasswordFor } from './password-operations.ts';

const needed = expect.objectContaining({ code: 'PASSWORD_NEEDED' });
const now = Date.now();
const gaveIt = (msAgo: number) => ({ passwordGivenAt: new Date(now - msAgo) });
const key = { key: { id: 1, scopes: [ApiScope.write] } };

describe('the password', () => {
  it('holds for ten minutes', () => {
    expect(() => requirePassword(gaveIt(0), now)).not.toThrow();
    expect(() => requirePassword(gaveIt(PASSWORD_HOLDS_MS - 1), now)).not.toThrow();
    expect(() => requirePassword(gaveIt(PASSWORD_HOLDS_MS), now)).toThrow(needed);
    expect(() => requirePassword({ passwordGivenAt: null }, now)).toThrow(needed);
    expect(PASSWORD_HOLDS_MS).toBe(600_000);
  });

  it.each(Object.entries(passwordOperations))('is asked by %s: %s', (field, when) => {
    const ask = (viewer: Parameters<typeof requirePasswordFor>[0]) => () =>
      requirePasswordFor(viewer, 'mutation', field);
    if (when === 'always') expect(ask({ passwordGivenAt: null })).toThrow(needed);
    else expect(ask({ passwordGivenAt: null })).not.toThrow();
    for (const viewer of [gaveIt(0), key, null]) expect(ask(viewer)).not.toThrow();
  });

  it('is asked by nothing else, whatever it is called, and by nothing that only reads', () => {
    for (const field of ['createAlert', 'confirmPassword', 'changePassword', 'logout', 'constructor', 'toString'])
      expect(() => requirePasswordFor({}, 'mutation', field)).not.toThrow();
    expect(() => requirePasswordFor({}, 'query', 'exportMyData')).not.toThrow();
  });
});
