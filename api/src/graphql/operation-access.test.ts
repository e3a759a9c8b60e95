import { type GraphQLObjectType, graphql } from 'graphql';
import { expect, it } from 'vitest';
import { ApiScope } from '../domain/api-scope.ts';
import { keyOperations } from '../policies/key-operations.ts';
import { passwordOperations } from '../policies/password-operations.ts';
import { makeSchema } from './make-schema.ts';

const schema = makeSchema();
const fieldsOf = (type: GraphQLObjectType | null | undefined) => Object.keys(type?.getFields() ?? {}).sort();

it('has a place in the table for every operation of the schema, and no place for what is not there', () => {
  expect(Object.keys(keyOperations.query).sort()).toEqual(fieldsOf(schema.getQueryType()));
  expect(Object.keys(keyOperations.mutation).sort()).toEqual(fieldsOf(schema.getMutationType()));
  expect(Object.keys(keyOperations.subscription).sort()).toEqual(fieldsOf(schema.getSubscriptionType()));
});

/** Of the process, only what notes refusals is there: a resolver would fail otherwise. */
const parts = { security: () => {} };

it('refuses before the resolver, whoever executes', async () => {
  const contextValue = { parts, viewer: { id: 1, sessionId: null, key: { id: 1, scopes: [ApiScope.read] } } };
  for (const source of ['mutation { logout }', '{ apiKeys { id } }']) {
    const { errors } = await graphql({ schema, source, contextValue });
    expect(errors?.[0]?.originalError).toMatchObject({ code: 'FORBIDDEN' });
  }
});

it('asks for the password before the resolver, whoever executes, for mutations that are there', async () => {
  const mutations = schema.getMutationType()?.getFields() ?? {};
  for (const [field, when] of Object.entries(passwordOperations)) {
    const { resolve } = mutations[field] ?? {};
    expect([field, typeof resolve]).toEqual([field, 'function']);
    if (when !== 'always') continue;
    const viewer = { id: 1, sessionId: 'x', passwordGivenAt: new Date(Date.now() - 600_000) };
    const asked = async () => resolve?.(undefined, {}, { parts, viewer } as never, {} as never);
    await expect(asked()).rejects.toMatchObject({ code: 'PASSWORD_NEEDED' });
  }
});
