import {
  type GraphQLInputObjectType,
  type GraphQLNamedType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import type { SchemaDescription } from 'yup';
import { colors, makes } from '../../domain/catalogue.ts';
import { alertSchema, requiredAlertFields } from '../../domain/forms/alert.ts';
import { contactSchema } from '../../domain/forms/contact.ts';
import { deletionNotesSchema } from '../../domain/forms/deletion-request.ts';
import { changePasswordSchema } from '../../domain/forms/password.ts';
import { loginSchema } from '../../domain/forms/sign-in.ts';
import { signUpSchema } from '../../domain/forms/sign-up.ts';
import { aliases, guardedFields, type JsonSchema } from '../calls/call.ts';
import type { CompiledCall, Input } from '../calls/compiled-call.ts';
import { leafSchema, numberId } from './answer-schema.ts';
import { alertExamples } from './examples.ts';

/** What `describe` of Yup says of a field. */
type FieldDescription = Pick<SchemaDescription, 'type' | 'oneOf' | 'tests'> & { innerType?: FieldDescription };

/** The limits that a form's schema states for its fields, as JSON Schema. */
function limitsOf(schema: { describe: () => { fields: object } }): Record<string, JsonSchema> {
  const fields = Object.entries(schema.describe().fields as Record<string, FieldDescription>);
  return Object.fromEntries(fields.map(([name, field]) => [name, limitsOfField(field)]));
}

/** A list of values states the limits of its items as well. */
function limitsOfField({ type, innerType, oneOf, tests }: FieldDescription): JsonSchema {
  if (type === 'array') {
    const max = tests.find(({ name }) => name === 'max')?.params?.max;
    return { items: innerType ? limitsOfField(innerType) : {}, ...(max !== undefined && { maxItems: max }) };
  }
  const has = (name: string) => tests.some((test) => test.name === name);
  const paramsOf = (name: string) => tests.find((test) => test.name === name)?.params;
  const [min, max, range] = [paramsOf('min'), paramsOf('max'), paramsOf('range')];
  return {
    ...(has('email') && { format: 'email' }),
    ...(has('required') && { minLength: min?.min ?? 1 }),
    ...(max && { maxLength: max.max }),
    // A text of blanks alone is refused.
    ...(has('required') && has('trim') && { pattern: '\\S' }),
    ...(has('line') && { pattern: '^[^\\u0000-\\u001f\\u007f]*$' }),
    ...(range && { minimum: range.min, maximum: (range.max as (now: Date) => number)(new Date()) }),
    ...(oneOf.length > 0 && { enum: oneOf }),
  };
}

const valuesOf = (options: readonly { value: string }[]) => options.map(({ value }) => value);
const sessionId: JsonSchema = { minLength: 1, maxLength: 255, pattern: '^[A-Za-z0-9_-]+$' };
const alertLimits = limitsOf(alertSchema);

/** Limits of inputs, which their GraphQL types don't state. */
const limits: Readonly<Record<string, JsonSchema>> = {
  ...limitsOf(contactSchema),
  ...limitsOf(deletionNotesSchema),
  ...limitsOf(changePasswordSchema),
  ...limitsOf(signUpSchema),
  timeZone: { maxLength: 60 },
  ...alertLimits,
  make: { enum: valuesOf(makes) },
  location: { minLength: 1, ...alertLimits.location, pattern: '\\S' },
  color: { enum: valuesOf(colors) },
  sessionId,
  session_id: sessionId,
  requestId: { minLength: 1, maxLength: 40 },
  first: { minimum: 1, maximum: 100 },
  after: { minLength: 1 },
};

/** What differs in one operation, by its root field. */
const exceptions: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>> = {
  login: limitsOf(loginSchema),
  // Sorted otherwise, the cursor is a text.
  savedListings: { after: { minimum: 1, examples: [1204] } },
};

/** An example of each input. Inputs have the order of this table, which is that of the forms. */
const inputExamples: Readonly<Record<string, unknown>> = {
  username: 'carbuyer',
  password: 'correct horse battery',
  code: '123456',
  currentPassword: 'correct horse battery',
  newPassword: 'battery staple horse',
  email: 'carbuyer@example.com',
  phone: '+1 512 555 0100',
  timeZone: 'America/Chicago',
  ...alertExamples,
  snoozedUntil: '2026-03-05T14:05:09.120Z',
  isActive: true,
  planId: 1,
  sessionId: 'cs_test_a1b2c3',
  session_id: 'cs_test_a1b2c3',
  name: 'A car buyer',
  subject: 'A question',
  message: 'How far does a radius of 100 miles reach?',
  status: 'approved',
  notes: 'Asked by mail as well.',
  id: 7,
  ids: 7,
  alerts: undefined,
  userId: 7,
  requestId: 'DR-7F3K2Q',
  alertId: 7,
  first: 20,
  after: 'MTIzNDU2LjEyMDQuNw',
  sort: 'newest',
  only: 'new',
};

/**
 * The limits and an example of an input.
 * @param operation the field of GraphQL's Query or Mutation
 * @throws Error for an input without an example
 */
function factsOf(operation: string, name: string): JsonSchema {
  if (!Object.hasOwn(inputExamples, name)) throw new Error(`Give ${name}, an input of ${operation}, an example.`);
  const example = inputExamples[name];
  return {
    ...(example !== undefined && { examples: [example] }),
    ...(exceptions[operation]?.[name] ?? limits[name]),
  };
}

const order = Object.keys(inputExamples);

/** The sort key: inputs have the order of the examples, which is that of the forms. */
const byOrder = (a: { name: string }, b: { name: string }): number => order.indexOf(a.name) - order.indexOf(b.name);

/** Fields that a change can set but not clear. */
const kept: ReadonlySet<string> = new Set(requiredAlertFields);
const digits: JsonSchema = { type: 'string', pattern: '^[1-9][0-9]{0,14}$' };
const empty: JsonSchema = { type: 'string', maxLength: 0 };

const operationOf = ({ shape }: CompiledCall): string => shape.fields[0]?.name ?? '';

/** The schema of a value with fields of its own, whose limits the form's schema states in words only. */
function objectSchema(type: GraphQLInputObjectType): JsonSchema {
  const fields = Object.values(type.getFields());
  const schemas = fields.map((field): [string, JsonSchema] => {
    const items = leafSchema(field.name, getNamedType(field.type));
    const schema = isListType(getNullableType(field.type)) ? { type: 'array', items } : items;
    return [field.name, { ...schema, ...(field.description && { description: field.description }) }];
  });
  const required = fields.filter((field) => isNonNullType(field.type)).map(({ name }) => name);
  return { type: 'object', properties: Object.fromEntries(schemas), required, additionalProperties: false };
}

/** The schema of one value. */
function valueSchema(ready: CompiledCall, { name, type }: Input): JsonSchema {
  const named: GraphQLNamedType = getNamedType(type);
  if (isInputObjectType(named)) return { ...objectSchema(named), examples: factsOf(operationOf(ready), name).examples };
  const { examples, items, ...facts } = factsOf(operationOf(ready), name);
  const leaf = leafSchema(name, named);
  if (items) return { type: 'array', items: { ...leaf, ...(items as JsonSchema) }, ...facts, examples };
  if (leaf === numberId) return { anyOf: [leaf, digits], examples };
  return { ...leaf, ...(isEnumType(named) ? {} : facts), examples };
}

/** The schema of a parameter in the path or query. */
export function parameterSchema(ready: CompiledCall, input: Input): JsonSchema {
  const schema = valueSchema(ready, input);
  const one = schema.anyOf ? { ...numberId, examples: schema.examples } : schema;
  if (!isListType(getNullableType(input.type))) return one;
  const { examples, ...items } = one;
  return { type: 'array', items, minItems: 1, maxItems: 100, examples: [examples] };
}

function fieldSchema(ready: CompiledCall, input: Input): JsonSchema {
  if (input.items) return listSchema(ready, input, input.items);
  const { examples, ...value } = valueSchema(ready, input);
  const isKept = input.isRequired || (ready.call.method === 'PATCH' && kept.has(input.name));
  const schema = isKept ? value : { anyOf: [value, { type: 'null' }, empty] };
  return { ...schema, ...(input.description && { description: input.description }), examples };
}

function listSchema(ready: CompiledCall, { description }: Input, { fields }: NonNullable<Input['items']>): JsonSchema {
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
export function bodyOf(ready: CompiledCall): Body | null {
  if (!ready.body) return null;
  const operation = operationOf(ready);
  const name = ready.body.type ?? `${operation.charAt(0).toUpperCase()}${operation.slice(1)}Input`;
  return { name, schema: bodySchema(ready, ready.body.fields.toSorted(byOrder)) };
}

function bodySchema(ready: CompiledCall, fields: readonly Input[]): JsonSchema {
  const properties = Object.fromEntries(fields.map((input) => [input.name, fieldSchema(ready, input)]));
  for (const [alias, name] of Object.entries(aliases)) {
    const field = properties[name];
    if (field) properties[alias] = { ...field, description: `Another name of ${name}.` };
  }
  const required = fields.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const emptied =
    ready.call.method === 'PATCH'
      ? 'Absent fields stay as they are; null and "" clear a field.'
      : 'null and "" count as absent.';
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
