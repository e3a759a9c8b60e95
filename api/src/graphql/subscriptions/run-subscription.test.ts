import { buildSchema, type ExecutionArgs, execute, type GraphQLSchema, parse } from 'graphql';
import { expect, it } from 'vitest';
import { compileOperation } from './run-subscription.ts';

const schema: GraphQLSchema = buildSchema(`
  interface Named { name: String }
  enum Kind { big small }
  type Car implements Named { name: String price(in: String = "usd", times: Int): Float! kind: Kind owner: Car others: [Car] must: [Car!]! tags: [String!] }
  type Query { car: Car named: Named sure: Car! }
`);
const fieldsOf = (name: string) => {
  const type = schema.getType(name);
  if (!type || !('getFields' in type)) throw new Error(`no type ${name}`);
  return type.getFields();
};
Object.assign(fieldsOf('Car').price ?? {}, {
  resolve: async ({ price }: { price: unknown }, args: { in: string; times?: number }) => {
    await Promise.resolve();
    if (typeof price !== 'number') throw new Error('no price');
    return price * (args.times ?? 1) * (args.in === 'cents' ? 100 : 1);
  },
});

const car = (overrides: object = {}) => ({ name: 'Camry', price: 5, kind: 'big', must: [], ...overrides });
const both = async (source: string, rootValue: unknown, variableValues: Record<string, unknown> = {}) => {
  const args: ExecutionArgs = { schema, document: parse(source), rootValue, variableValues };
  const run = compileOperation(args);
  const result = async () => run?.(rootValue, undefined) ?? null;
  const ours = await result().catch(() => 'left to graphql');
  return { ours, theirs: await execute(args) };
};

const fragments = 'fragment A on Car { name others { ...B } } fragment B on Car { kind name price }';
const ordinary: [string, string, object, Record<string, unknown>?][] = [
  ['leaves, lists and nulls', '{ car { name price kind tags owner { name } others { name } must { name } } }', car()],
  ['aliases and arguments', '{ a: car { x: price(in: "cents") y: price(times: 3) } car { name } }', car()],
  ['variables', 'query ($n: Int = 4) { car { price(times: $n) } }', car(), { n: 7 }],
  ['variables left out', 'query ($n: Int = 4) { car { price(times: $n) } }', car()],
  ['__typename', '{ __typename car { __typename others { __typename } } }', car({ others: [car(), null] })],
  [
    'fragments that overlap',
    `{ car { others { price } ...A } car { others { tags } } } ${fragments}`,
    car({ others: [car()] }),
  ],
  ['inline fragments', '{ car { ... on Car { name } ... { kind } } }', car()],
  [
    'skip and include',
    'query ($no: Boolean!) { car { name @include(if: $no) kind @skip(if: $no) price } }',
    car(),
    { no: false },
  ],
  [
    'promises in lists',
    '{ car { others { price owner { price } } } }',
    car({ others: [car({ owner: car() }), car()] }),
  ],
];

it.each(ordinary)('returns what graphql returns: %s', async (_name, source, root, variables) => {
  const { ours, theirs } = await both(source, { car: root }, variables);
  expect(theirs.errors).toBeUndefined();
  expect(JSON.stringify(ours)).toBe(JSON.stringify(theirs.data));
});

it.each([
  [
    'a resolver fails',
    '{ car { name price others { price } } }',
    { car: car({ others: [car(), car({ price: 'x' })] }) },
  ],
  ['null where none may be', '{ sure { name } }', {}],
  ['null in a list of what may not be', '{ car { must { name } } }', { car: car({ must: [car(), null] }) }],
  ['a value that is none of the enum', '{ car { price kind } }', { car: car({ kind: 'huge' }) }],
  ['no list', '{ car { tags } }', { car: car({ tags: 'x' }) }],
  ['an error for a value', '{ car { name } }', { car: car({ name: new Error('x') }) }],
])('falls back to graphql: %s', async (_name, source, root) => {
  const { ours, theirs } = await both(source, root);
  expect(theirs.errors?.length).toBeGreaterThan(0);
  expect(ours).toBe('left to graphql');
});

it('does not compile unsupported operations', async () => {
  expect(compileOperation({ schema, document: parse('{ car { __proto__: name } }') })).toBeNull();
  expect(compileOperation({ schema, document: parse('{ named { name } }') })).toBeNull();
  expect(compileOperation({ schema, document: parse('{ car { ... on Named { name } } }') })).toBeNull();
  expect(compileOperation({ schema, document: parse('query ($n: Int!) { car { price(times: $n) } }') })).toBeNull();
});
