import { readFileSync } from 'node:fs';
import { BreakingChangeType, buildSchema, findBreakingChanges, type GraphQLSchema } from 'graphql';
import { expect, it } from 'vitest';
import { makeSchema } from './make-schema.ts';

const contract = readFileSync(new URL('./fixtures/contract.graphql', import.meta.url), 'utf8');

/** What a client of the contract would find missing or different. */
const broken = (schema: GraphQLSchema) =>
  findBreakingChanges(buildSchema(contract), schema).map(({ type, description }) => `${type}: ${description}`);

/** A changed default breaks no query, but changes its result. */
function defaultsOf(schema: GraphQLSchema): string[] {
  return Object.values(schema.getQueryType()?.getFields() ?? {}).flatMap((field) =>
    field.args.filter(({ defaultValue }) => defaultValue !== undefined).map((one) => `${one.name}=${one.defaultValue}`),
  );
}

it('the schema contains everything that the contract promises', () => {
  expect(broken(makeSchema())).toEqual([]);
  expect(defaultsOf(makeSchema())).toEqual(defaultsOf(buildSchema(contract)));
});

it('the comparison with the contract fails when a part of the schema is missing', () => {
  const without = buildSchema(contract.replace('  endCursor: String\n', ''));
  expect(broken(without)).toEqual([expect.stringContaining(BreakingChangeType.FIELD_REMOVED)]);
  const looser = buildSchema(contract.replace('  planName: String!', '  planName: String'));
  expect(broken(looser)).toEqual([expect.stringContaining(BreakingChangeType.FIELD_CHANGED_KIND)]);
});
