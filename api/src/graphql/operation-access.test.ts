import { type GraphQLObjectType, graphql } from 'graphql';
import { expect, it } from 'vitest';
import { ApiScope } from '../domain/api-key.ts';
import { namesWhere, type OperationKind, operations } from '../policies/operations.ts';
import { makeSchema } from './make-schema.ts';
import { guardOperations } from './operation-access.ts';

const schema = makeSchema();
const fieldsOf = (type: GraphQLObjectType | null | undefined) => Object.keys(type?.getFields() ?? {}).sort();

it('has a row for every operation of the schema, and no other rows', () => {
  expect(Object.keys(operations.query).sort()).toEqual(fieldsOf(schema.getQueryType()));
  expect(Object.keys(operations.mutation).sort()).toEqual(fieldsOf(schema.getMutationType()));
  expect(Object.keys(operations.subscription).sort()).toEqual(fieldsOf(schema.getSubscriptionType()));
});

/** The only part is the one that records refusals, so that a resolver that runs would fail. */
const parts = { security: () => {} };

it('refuses an operation before its resolver runs, with any executor', async () => {
  const contextValue = { parts, viewer: { id: 1, sessionId: null, key: { id: 1, scopes: [ApiScope.read] } } };
  for (const source of ['mutation { logout }', '{ apiKeys { id } }']) {
    const { errors } = await graphql({ schema, source, contextValue });
    expect(errors?.[0]?.originalError).toMatchObject({ code: 'FORBIDDEN' });
  }
});

/** Starts an operation as an executor does, without the checks before execution. */
async function begin(kind: OperationKind, field: string, viewer: object | null): Promise<unknown> {
  const type = { query: schema.getQueryType(), mutation: schema.getMutationType() }[kind as 'query' | 'mutation'];
  const { resolve, subscribe } = (type ?? schema.getSubscriptionType())?.getFields()[field] ?? {};
  const start = kind === 'subscription' ? subscribe : resolve;
  expect([field, typeof start]).toEqual([field, 'function']);
  return start?.(undefined, {}, { parts, viewer } as never, {} as never);
}

it('refuses visitors and, for operations of the admin, users before the resolver runs', async () => {
  const buyer = { id: 2, sessionId: 'x', passwordGivenAt: new Date() };
  for (const kind of ['query', 'mutation', 'subscription'] as const) {
    for (const field of namesWhere(kind, ({ access }) => access !== 'anyone')) {
      await expect(begin(kind, field, null)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    }
    for (const field of namesWhere(kind, ({ access }) => access === 'admin')) {
      await expect(begin(kind, field, buyer)).rejects.toMatchObject({ code: 'FORBIDDEN', message: 'Access Denied' });
    }
  }
});

it('asks for the password before the resolver runs, with any executor', async () => {
  const asking = namesWhere('mutation', ({ password }) => password === 'always');
  expect(asking.length).toBeGreaterThan(10);
  for (const field of asking) {
    const viewer = { id: 1, sessionId: 'x', passwordGivenAt: new Date(Date.now() - 600_000) };
    await expect(begin('mutation', field, viewer)).rejects.toMatchObject({ code: 'PASSWORD_NEEDED' });
  }
});

it('refuses a field without a row', async () => {
  const strange = makeSchema();
  const fields = strange.getQueryType()?.getFields() ?? {};
  Object.assign(fields, { unlisted: { ...fields.site, name: 'unlisted', resolve: () => ({ testMode: true }) } });
  const contextValue = { parts, viewer: { id: 1, sessionId: 'x', passwordGivenAt: new Date() } };
  const { errors } = await graphql({
    schema: guardOperations(strange),
    source: '{ unlisted { testMode } }',
    contextValue,
  });
  expect(errors?.[0]?.originalError).toMatchObject({ code: 'FORBIDDEN' });
});
