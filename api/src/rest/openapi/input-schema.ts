import { type GraphQLNamedType, getNamedType, getNullableType, isEnumType, isListType } from 'graphql';
import type { JsonSchema } from '../calls/answers.ts';
import { aliases, guardedFields } from '../calls/call.ts';
import type { Input, ReadyCall } from '../calls/ready-call.ts';
import { leafSchema, numberId } from './answer-schema.ts';
import { byOrder, factsOf } from './field-facts.ts';

/** Fields that a change can set but not clear. */
const kept = new Set(['make', 'location', 'radius']);
const digits: JsonSchema = { type: 'string', pattern: '^[1-9][0-9]{0,14}$' };
const empty: JsonSchema = { type: 'string', maxLength: 0 };

const operationOf = ({ shape }: ReadyCall): string => shape.fields[0]?.name ?? '';

/** One value, as it must be where it is given. */
function valueSchema(ready: ReadyCall, { name, type }: Input): JsonSchema {
  const named: GraphQLNamedType = getNamedType(type);
  const { examples, ...facts } = factsOf(operationOf(ready), name);
  const leaf = leafSchema(name, named);
  if (leaf === numberId) return { anyOf: [leaf, digits], examples };
  return { ...leaf, ...(isEnumType(named) ? {} : facts), examples };
}

/** A name in the path or the query string. */
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
  /** The GraphQL type's; that of the operation where its variables stand alone. */
  name: string;
  schema: JsonSchema;
}

/** The body that a call takes, with an example; null where it takes none. */
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

/** A field, or another name of it, that is there and more than blanks. */
function saysSomething(name: string): JsonSchema[] {
  const names = [name, ...Object.keys(aliases).filter((alias) => aliases[alias] === name)];
  return names.map((given) => ({
    required: [given],
    properties: { [given]: { type: 'string', pattern: '\\S' } },
  }));
}
