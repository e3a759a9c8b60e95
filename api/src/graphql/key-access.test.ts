import { type GraphQLObjectType, graphqlSync } from 'graphql';
import { expect, it } from 'vitest';
import { ApiScope } from '../domain/api-scope.ts';
import { keyOperations } from '../policies/key-operations.ts';
import { makeSchema } from './make-schema.ts';

const schema = makeSchema();
const fieldsOf = (type: GraphQLObjectType | null | undefined) => Object.keys(type?.getFields() ?? {}).sort();

it('has a place in the table for every operation of the schema, and no place for what is not there', () => {
  expect(Object.keys(keyOperations.query).sort()).toEqual(fieldsOf(schema.getQueryType()));
  expect(Object.keys(keyOperations.mutation).sort()).toEqual(fieldsOf(schema.getMutationType()));
  expect(Object.keys(keyOperations.subscription).sort()).toEqual(fieldsOf(schema.getSubscriptionType()));
});

it('refuses before the resolver, whoever executes', () => {
  const contextValue = { viewer: { id: 1, sessionId: null, key: { id: 1, scopes: [ApiScope.read] } } };
  for (const source of ['mutation { logout }', '{ apiKeys { id } }']) {
    const { errors } = graphqlSync({ schema, source, contextValue });
    expect(errors?.[0]?.originalError).toMatchObject({ code: 'FORBIDDEN' });
  }
});
