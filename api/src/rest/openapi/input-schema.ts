import { type GraphQLNamedType, getNamedType, isEnumType } from 'graphql';
import type { JsonSchema } from '../calls/answers.ts';
import { aliases, guardedFields } from '../calls/call.ts';
import type { Input, ReadyCall } from '../calls/ready-call.ts';
import { leafSchema, numberId } from './answer-schema.ts';
import { factsOf } from './field-facts.ts';

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
  return schema.anyOf ? { ...numberId, examples: schema.examples } : schema;
}

function fieldSchema(ready: ReadyCall, input: Input): JsonSchema {
  const { examples, ...value } = valueSchema(ready, input);
  const isKept = input.isRequired || (ready.call.method === 'PATCH' && kept.has(input.name));
  const schema = isKept ? value : { anyOf: [value, { type: 'null' }, empty] };
  return { ...schema, ...(input.description && { description: input.description }), examples };
}

/** The body that a call takes, with an example of each field; null where it takes none. */
export function bodySchema(ready: ReadyCall): JsonSchema | null {
  if (!ready.body) return null;
  const { fields } = ready.body;
  const properties = Object.fromEntries(fields.map((input) => [input.name, fieldSchema(ready, input)]));
  for (const [alias, name] of Object.entries(aliases)) {
    const field = properties[name];
    if (field) properties[alias] = { ...field, description: `Another name of ${name}.` };
  }
  const required = fields.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    ...(ready.call.guarded && { not: { anyOf: guardedFields.map((name) => ({ required: [name] })) } }),
  };
}

/** A body with the example of each field but other names of them. */
export function bodyExample(ready: ReadyCall): Record<string, unknown> | null {
  if (!ready.body) return null;
  const example = (input: Input) => (factsOf(operationOf(ready), input.name).examples as unknown[])[0];
  return Object.fromEntries(ready.body.fields.map((input) => [input.name, example(input)]));
}
