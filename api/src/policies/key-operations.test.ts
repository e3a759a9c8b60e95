import { describe, expect, it } from 'vitest';
import { ApiScope } from '../domain/api-scope.ts';
import { keyOperations, type OperationKind, requireKeyAccess } from './key-operations.ts';

const holder = (...scopes: ApiScope[]) => ({ key: { id: 1, scopes } });
const both = holder(ApiScope.read, ApiScope.write);
const reader = holder(ApiScope.read);
const kinds = Object.keys(keyOperations) as OperationKind[];
const rows = kinds.flatMap((kind) =>
  Object.entries(keyOperations[kind]).map(([field, access]) => ({ kind, field, access })),
);

describe('for a key', () => {
  it.each(rows)('$field takes $access', ({ kind, field, access }) => {
    const ask = (viewer: typeof both) => () => requireKeyAccess(viewer, kind, field);
    const forbidden = expect.objectContaining({ code: 'FORBIDDEN' });
    if (access === 'never') expect(ask(both)).toThrow(forbidden);
    else expect(ask(both)).not.toThrow();
    if (access === 'read') expect(ask(reader)).not.toThrow();
    else expect(ask(reader)).toThrow(forbidden);
  });

  it('what does not stand there is never taken, whatever it is called', () => {
    for (const field of ['newField', 'constructor', 'toString']) {
      for (const kind of kinds) expect(() => requireKeyAccess(both, kind, field)).toThrow('API keys are not taken');
    }
  });

  it('no mutation asks for reading alone, and nothing that is read asks for writing', () => {
    for (const { kind, field, access } of rows) {
      expect([field, access]).not.toEqual([field, kind === 'mutation' ? 'read' : 'write']);
    }
  });
});

it('says nothing to whoever comes without a key, nor about the schema itself', () => {
  expect(() => requireKeyAccess(null, 'mutation', 'login')).not.toThrow();
  expect(() => requireKeyAccess({}, 'mutation', 'changePassword')).not.toThrow();
  expect(() => requireKeyAccess(reader, 'query', '__schema')).not.toThrow();
});
