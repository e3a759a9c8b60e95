import { type GraphQLNamedType, getNamedType, getNullableType, isEnumType, isListType } from 'graphql';
import { colors, makes } from '../../domain/catalogue.ts';
import { bounds, lastYear } from '../../domain/form-rules.ts';
import { aliases, guardedFields, type JsonSchema } from '../calls/call.ts';
import type { Input, ReadyCall } from '../calls/ready-call.ts';
import { leafSchema, numberId } from './answer-schema.ts';

const text = (maxLength: number, example: string): JsonSchema => ({
  minLength: 1,
  maxLength,
  // A text of spaces alone is refused.
  pattern: '\\S',
  examples: [example],
});
const choice = (options: readonly { value: string }[], example: string): JsonSchema => ({
  enum: options.map(({ value }) => value),
  examples: [example],
});
const wholeDollars = (example: number): JsonSchema => ({ minimum: 0, maximum: bounds.price, examples: [example] });
const modelYear = (example: number): JsonSchema => ({
  minimum: bounds.firstYear,
  maximum: lastYear(new Date()),
  examples: [example],
});
const newPassword: JsonSchema = {
  minLength: bounds.passwordMin,
  maxLength: bounds.password,
  examples: ['correct horse battery'],
};

/** Bounds and an example of each input, which its GraphQL type doesn't state. */
const facts: Readonly<Record<string, JsonSchema>> = {
  username: text(bounds.username, 'carbuyer'),
  password: newPassword,
  code: { examples: ['123456'] },
  currentPassword: { minLength: 1, examples: ['correct horse battery'] },
  newPassword: { ...newPassword, examples: ['battery staple horse'] },
  email: { format: 'email', maxLength: bounds.email, examples: ['carbuyer@example.com'] },
  phone: { maxLength: bounds.phone, pattern: '^[^\\u0000-\\u001f\\u007f]*$', examples: ['+1 512 555 0100'] },
  timeZone: { maxLength: 60, examples: ['America/Chicago'] },
  make: choice(makes, 'toyota'),
  model: { examples: ['camry'] },
  yearMin: modelYear(2015),
  yearMax: modelYear(2022),
  location: text(bounds.location, 'Austin, TX'),
  radius: { enum: bounds.radii, examples: [50] },
  priceMin: wholeDollars(4_000),
  priceMax: wholeDollars(18_000),
  color: choice(colors, 'any'),
  onlyWithImages: { examples: [true] },
  emailNotifications: { examples: [true] },
  textNotifications: { examples: [false] },
  isActive: { examples: [true] },
  planId: { examples: [1] },
  sessionId: { minLength: 1, maxLength: 255, pattern: '^[A-Za-z0-9_-]+$', examples: ['cs_test_a1b2c3'] },
  session_id: { minLength: 1, maxLength: 255, pattern: '^[A-Za-z0-9_-]+$', examples: ['cs_test_a1b2c3'] },
  name: text(bounds.name, 'A car buyer'),
  subject: text(bounds.subject, 'A question'),
  message: text(bounds.message, 'How far does a radius of 100 miles reach?'),
  status: { examples: ['approved'] },
  notes: { maxLength: bounds.notes, examples: ['Asked by mail as well.'] },
  id: { examples: [7] },
  ids: { examples: [7] },
  alerts: {},
  userId: { examples: [7] },
  requestId: { minLength: 1, maxLength: 40, examples: ['DR-7F3K2Q'] },
  alertId: { examples: [7] },
  first: { minimum: 1, maximum: 100, examples: [20] },
  after: { minLength: 1, examples: ['MTIzNDU2LjEyMDQuNw'] },
};

/** Inputs that differ in one operation, by its root field. */
const exceptions: Readonly<Record<string, JsonSchema>> = {
  'login.username': { minLength: 1, pattern: '\\S', examples: ['carbuyer'] },
  'login.password': { minLength: 1, examples: ['correct horse battery'] },
};

/** @param operation the field of GraphQL's Query or Mutation @throws Error for an input without an entry */
function factsOf(operation: string, name: string): JsonSchema {
  const found = exceptions[`${operation}.${name}`] ?? facts[name];
  if (!found) throw new Error(`Describe ${name}, an input of ${operation}, in field-facts.ts.`);
  return found;
}

const order = Object.keys(facts);

/** The sort key: inputs have the order of this file, which is that of the forms. */
const byOrder = (a: { name: string }, b: { name: string }): number => order.indexOf(a.name) - order.indexOf(b.name);

/** Fields that a change can set but not clear. */
const kept = new Set(['make', 'location', 'radius']);
const digits: JsonSchema = { type: 'string', pattern: '^[1-9][0-9]{0,14}$' };
const empty: JsonSchema = { type: 'string', maxLength: 0 };

const operationOf = ({ shape }: ReadyCall): string => shape.fields[0]?.name ?? '';

/** The schema of one value. */
function valueSchema(ready: ReadyCall, { name, type }: Input): JsonSchema {
  const named: GraphQLNamedType = getNamedType(type);
  const { examples, ...facts } = factsOf(operationOf(ready), name);
  const leaf = leafSchema(name, named);
  if (leaf === numberId) return { anyOf: [leaf, digits], examples };
  return { ...leaf, ...(isEnumType(named) ? {} : facts), examples };
}

/** The schema of a parameter in the path or query. */
export function parameterSchema(ready: ReadyCall, input: Input): JsonSchema {
  const schema = valueSchema(ready, input);
  const one = schema.anyOf ? { ...numberId, examples: schema.examples } : schema;
  if (!isListType(getNullableType(input.type))) return one;
  const { examples, ...items } = one;
  return { type: 'array', items, minItems: 1, maxItems: 100, examples: [examples] };
}

function fieldSchema(ready: ReadyCall, input: Input): JsonSchema {
  if (input.items) return listSchema(ready, input, input.items);
  const { examples, ...value } = valueSchema(ready, input);
  const isKept = input.isRequired || (ready.call.method === 'PATCH' && kept.has(input.name));
  const schema = isKept ? value : { anyOf: [value, { type: 'null' }, empty] };
  return { ...schema, ...(input.description && { description: input.description }), examples };
}

function listSchema(ready: ReadyCall, { description }: Input, { fields }: NonNullable<Input['items']>): JsonSchema {
  const { examples, ...items } = bodySchema(ready, fields.toSorted(byOrder));
  return {
    type: 'array',
    items,
    minItems: 1,
    maxItems: 100,
    ...(description && { description }),
    examples: [examples],
  };
}

interface Body {
  /** The name of the GraphQL type, or of the operation if there is no input type. */
  name: string;
  schema: JsonSchema;
}

/** Describes the body of a call, with an example; null if it takes none. */
export function bodyOf(ready: ReadyCall): Body | null {
  if (!ready.body) return null;
  const operation = operationOf(ready);
  const name = ready.body.type ?? `${operation.charAt(0).toUpperCase()}${operation.slice(1)}Input`;
  return { name, schema: bodySchema(ready, ready.body.fields.toSorted(byOrder)) };
}

function bodySchema(ready: ReadyCall, fields: readonly Input[]): JsonSchema {
  const properties = Object.fromEntries(fields.map((input) => [input.name, fieldSchema(ready, input)]));
  for (const [alias, name] of Object.entries(aliases)) {
    const field = properties[name];
    if (field) properties[alias] = { ...field, description: `Another name of ${name}.` };
  }
  const required = fields.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const emptied =
    ready.call.method === 'PATCH' ? 'What is left out stays; null and "" clear.' : 'null and "" count as left out.';
  const isAllRequired = required.length === fields.length;
  return {
    type: 'object',
    ...(!isAllRequired && { description: emptied }),
    properties,
    ...(required.length > 0 && { required }),
    ...(ready.call.oneNeeded && { anyOf: ready.call.oneNeeded.flatMap(saysSomething) }),
    ...(ready.call.guarded && { not: { anyOf: guardedOf(fields).map((name) => ({ required: [name] })) } }),
    examples: [Object.fromEntries(fields.map(({ name }) => [name, exampleOf(properties[name])]))],
  };
}

const guardedOf = (fields: readonly Input[]): string[] =>
  guardedFields.filter((name) => !fields.some((field) => field.name === name));

const exampleOf = (schema: JsonSchema | undefined): unknown => (schema?.examples as unknown[] | undefined)?.[0];

/** Requires a field, or an alias of it, that is not blank. */
function saysSomething(name: string): JsonSchema[] {
  const names = [name, ...Object.keys(aliases).filter((alias) => aliases[alias] === name)];
  return names.map((given) => ({
    required: [given],
    properties: { [given]: { type: 'string', pattern: '\\S' } },
  }));
}
