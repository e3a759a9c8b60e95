import { describe, expect, it } from 'vitest';
import { ApiScope } from '../domain/api-key.ts';
import { SessionRestriction } from '../domain/session-restriction.ts';
import { type OperationKind, operations } from './operations.ts';
import {
  type OperationCaller,
  PASSWORD_VALID_MS,
  requireKeyAccess,
  requireOperation,
  requirePassword,
  requireSessionFor,
} from './require-operation.ts';

const holder = (...scopes: ApiScope[]) => ({ id: 2, key: { id: 1, scopes } });
const both = holder(ApiScope.read, ApiScope.write);
const reader = holder(ApiScope.read);
const kinds = Object.keys(operations) as OperationKind[];
const rows = kinds.flatMap((kind) =>
  Object.entries(operations[kind]).map(([field, operation]) => ({ kind, field, ...operation })),
);
const error = (code: string) => expect.objectContaining({ code });
const justNow = () => ({ passwordGivenAt: new Date() });
const buyer = () => ({ id: 2, ...justNow() });
const admin = () => ({ id: 1, ...justNow() });
const unlisted = ['newField', 'constructor', 'toString'];

describe('an operation', () => {
  it.each(rows)('$kind $field is open to $access', ({ kind, field, access }) => {
    const ask = (viewer: OperationCaller | null) => () => requireOperation(viewer, kind, field);
    expect(ask(admin())).not.toThrow();
    if (access === 'anyone') expect(ask(null)).not.toThrow();
    else expect(ask(null)).toThrow(error('UNAUTHENTICATED'));
    if (access === 'admin') expect(ask(buyer())).toThrow(error('FORBIDDEN'));
    else expect(ask(buyer())).not.toThrow();
  });

  it('without a row is refused to everybody', () => {
    for (const kind of kinds) {
      for (const field of unlisted) {
        for (const viewer of [null, buyer(), admin(), both]) {
          expect(() => requireOperation(viewer, kind, field)).toThrow(error('FORBIDDEN'));
        }
      }
    }
  });

  it('is always allowed for introspection', () => {
    for (const viewer of [null, buyer(), reader]) {
      expect(() => requireOperation(viewer, 'query', '__schema')).not.toThrow();
    }
  });
});

describe('an API key', () => {
  it.each(rows)('$field requires $keys', ({ kind, field, keys }) => {
    const ask = (viewer: typeof both) => () => requireKeyAccess(viewer, kind, field);
    if (keys === 'never') expect(ask(both)).toThrow(error('FORBIDDEN'));
    else expect(ask(both)).not.toThrow();
    if (keys === 'read') expect(ask(reader)).not.toThrow();
    else expect(ask(reader)).toThrow(error('FORBIDDEN'));
  });

  it('is refused for a field without a row', () => {
    for (const field of unlisted) {
      for (const kind of kinds) expect(() => requireKeyAccess(both, kind, field)).toThrow('API keys are not accepted');
    }
  });

  it('needs write for mutations, and read for everything else', () => {
    for (const { kind, field, keys } of rows) {
      expect([field, keys]).not.toEqual([field, kind === 'mutation' ? 'read' : 'write']);
    }
  });

  it('is refused for the admin’s operations', () => {
    expect(rows.filter(({ access, keys }) => access === 'admin' && keys !== 'never')).toEqual([]);
  });

  it('is not required of others', () => {
    expect(() => requireKeyAccess(null, 'mutation', 'login')).not.toThrow();
    expect(() => requireKeyAccess({}, 'mutation', 'changePassword')).not.toThrow();
  });
});

describe('a password entry', () => {
  const now = Date.now();
  const gaveIt = (msAgo: number) => ({ id: 1, passwordGivenAt: new Date(now - msAgo) });

  it('is valid for ten minutes', () => {
    expect(() => requirePassword(gaveIt(0), now)).not.toThrow();
    expect(() => requirePassword(gaveIt(PASSWORD_VALID_MS - 1), now)).not.toThrow();
    expect(() => requirePassword(gaveIt(PASSWORD_VALID_MS), now)).toThrow(error('PASSWORD_NEEDED'));
    expect(() => requirePassword({ passwordGivenAt: null }, now)).toThrow(error('PASSWORD_NEEDED'));
    expect(PASSWORD_VALID_MS).toBe(600_000);
  });

  it.each(rows)('is required by $kind $field: $password', ({ kind, field, keys, password }) => {
    const ask = (viewer: OperationCaller | null) => () => requireSessionFor(viewer, kind, field);
    if (password === 'always') expect(ask({ id: 1, passwordGivenAt: null })).toThrow(error('PASSWORD_NEEDED'));
    else expect(ask({ id: 1, passwordGivenAt: null })).not.toThrow();
    for (const viewer of [gaveIt(0), null]) expect(ask(viewer)).not.toThrow();
    if (keys !== 'never') expect(ask(both)).not.toThrow();
  });

  it('is not required by queries', () => {
    expect(rows.filter(({ kind, password }) => kind !== 'mutation' && password)).toEqual([]);
  });
});

describe('a restricted session', () => {
  it.each(Object.values(SessionRestriction))('may use the operations of the table: %s', (restrictedTo) => {
    for (const { kind, field, openUnder = [] } of rows) {
      const ask = () => requireOperation({ ...admin(), restrictedTo }, kind, field);
      if (openUnder.includes(restrictedTo)) expect(ask).not.toThrow();
      else expect(ask).toThrow(error('FORBIDDEN'));
    }
  });

  it('may change the first password, and little else', () => {
    const open = rows.filter(({ openUnder }) => openUnder?.includes(SessionRestriction.password));
    expect(open.map(({ field }) => field).sort()).toEqual([
      'changePassword',
      'confirmPassword',
      'login',
      'logout',
      'me',
      'requestPasswordReset',
      'resetPassword',
      'site',
    ]);
  });
});
