import {
  type GraphQLNamedType,
  type GraphQLOutputType,
  getNamedType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import type { JsonSchema } from '../calls/call.ts';
import { isNumberId, type OperationShape, type Shape } from '../calls/shape.ts';

export const numberId: JsonSchema = { type: 'integer', minimum: 1, maximum: 999_999_999_999_999 };

const scalars: Readonly<Record<string, JsonSchema>> = {
  ID: { type: 'string' },
  String: { type: 'string' },
  Boolean: { type: 'boolean' },
  Int: { type: 'integer' },
  Float: { type: 'number' },
  DateTime: { type: 'string', format: 'date-time' },
  JSON: { type: 'object' },
};

/** The schema of one value of a scalar or enum. */
export function leafSchema(name: string, type: GraphQLNamedType): JsonSchema {
  if (isNumberId(name, type)) return numberId;
  if (isEnumType(type)) return { type: 'string', enum: type.getValues().map((value) => value.name) };
  const schema = scalars[type.name];
  if (!schema) throw new Error(`${type.name} has no JSON schema.`);
  return schema;
}

/** Shared schemas, by the name of their GraphQL type. */
export type Components = Map<string, JsonSchema>;

/** @throws Error if the name is already used for a different schema */
export function addOnce(components: Components, name: string, schema: JsonSchema): void {
  const before = components.get(name);
  if (before && JSON.stringify(before) !== JSON.stringify(schema))
    throw new Error(`${name} is the name of two schemas.`);
  components.set(name, schema);
}

/**
 * Finds the schema at a path of an operation's result, and adds the objects on the path to the components.
 * @throws Error if one type is selected with different fields
 */
export function schemaFinder(shape: OperationShape, components: Components): (path: string) => JsonSchema {
  return (path) => {
    let fields = shape.fields;
    let found: Shape | undefined;
    for (const name of path.split('.')) {
      found = fields.find((field) => field.name === name);
      if (!found) throw new Error(`The operation doesn't ask for ${path}.`);
      fields = found.fields;
    }
    if (!found) throw new Error('A path has at least one name.');
    const { type } = found;
    return ofType(isNonNullType(type) ? type.ofType : type, found, components);
  };
}

function ofShape(shape: Shape, components: Components): JsonSchema {
  const { type } = shape;
  if (isNonNullType(type)) return ofType(type.ofType, shape, components);
  const schema = ofType(type, shape, components);
  if (typeof schema.type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  return {
    ...schema,
    type: [schema.type, 'null'],
    ...(Array.isArray(schema.enum) && { enum: [...schema.enum, null] }),
  };
}

function ofType(type: GraphQLOutputType, shape: Shape, components: Components): JsonSchema {
  if (isNonNullType(type)) return ofType(type.ofType, shape, components);
  if (isListType(type)) return { type: 'array', items: ofType(type.ofType, shape, components) };
  const named = getNamedType(type);
  if (!isObjectType(named)) return leafSchema(shape.name, named);
  const properties = Object.fromEntries(
    shape.fields.map((field) => [field.name, described(ofShape(field, components), field)]),
  );
  const schema: JsonSchema = {
    type: 'object',
    ...(named.description && { description: named.description }),
    properties,
    required: Object.keys(properties),
  };
  addOnce(components, named.name, schema);
  return { $ref: `#/components/schemas/${named.name}` };
}

const described = (schema: JsonSchema, { description }: Shape): JsonSchema =>
  description === undefined ? schema : { ...schema, description };
