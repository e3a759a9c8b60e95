import { buildSchema, GraphQLError, getVariableValues, Kind, parse, validate } from 'graphql';
import { expect, it } from 'vitest';
import { withinLimits } from '../../../../api/src/graphql/limits.ts';
import text from '../../../../schema.graphql?raw';
import { exampleGroups } from './all-examples.ts';
import type { Example } from './example.ts';

const schema = buildSchema(text);
const examples = exampleGroups.flatMap((group) => group.examples);

/** Errors of an example that the server, or a reader, would find. */
function faultsOf({ query, variables = {} }: Example): string[] {
  const document = parse(query);
  const faults = [...validate(schema, document), ...validate(schema, document, [withinLimits])];
  const operations = document.definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
  const [operation] = operations;
  if (operations.length !== 1 || !operation?.name) return ['has not one operation with a name'];
  const taken = operation.variableDefinitions ?? [];
  const { errors = [] } = getVariableValues(schema, taken, variables);
  const names = new Set(taken.map(({ variable }) => variable.name.value));
  const unknown = Object.keys(variables).filter((name) => !names.has(name));
  const missing = [...names].filter((name) => !(name in variables));
  return [
    ...[...faults, ...errors].map(({ message }: GraphQLError) => message),
    ...unknown.map((name) => `$${name} is not taken`),
    ...missing.map((name) => `$${name} is not given`),
  ];
}

it.each(examples)('$name is an operation that the API accepts', (example) => {
  expect(faultsOf(example)).toEqual([]);
});

it('finds an example that no longer fits the schema', () => {
  const example = { name: 'x', about: 'x', query: 'query X($first: Int) { matches(first: $first) { hasMore } }' };
  expect(faultsOf({ ...example, variables: { first: 5 } })).toEqual([]);
  expect(faultsOf({ ...example, query: example.query.replace('hasMore', 'more'), variables: { first: 5 } })).toEqual([
    'Cannot query field "more" on type "MatchPage".',
  ]);
  expect(faultsOf({ ...example, variables: { first: 'five' } })).toHaveLength(1);
  expect(faultsOf({ ...example, variables: { first: 5, last: 5 } })).toEqual(['$last is not taken']);
  expect(faultsOf(example)).toEqual(['$first is not given']);
});

it('has examples with unique names for each kind of user', () => {
  for (const { examples: own } of exampleGroups) expect(own.length).toBeGreaterThanOrEqual(3);
  const names = examples.flatMap(({ name, query }) => [
    name,
    /\b(?:query|mutation|subscription) (\w+)/.exec(query)?.[1],
  ]);
  expect(new Set(names).size).toBe(2 * examples.length);
});
