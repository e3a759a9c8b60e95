import {
  type DocumentNode,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  getOperationAST,
  isInputObjectType,
  isListType,
  isNonNullType,
  parse,
  typeFromAST,
  validate,
} from 'graphql';
import { type KeyAccess, keyAccessTo, type OperationKind } from '../../policies/key-operations.ts';
import { type Call, pathVariables } from './call.ts';
import { type OperationShape, shapeOf } from './shape.ts';

/** Something that a caller may send: a field of the body, or a name in the path or query. */
export interface Input {
  name: string;
  type: GraphQLInputType;
  isRequired: boolean;
  description: string | undefined;
  /** Of a list of objects: the fields of each; null for all else. */
  items: { type: string; fields: readonly Input[] } | null;
}

/** A call with all that follows from its operation. */
export interface ReadyCall {
  call: Call;
  document: DocumentNode;
  shape: OperationShape;
  /** What the operation begins with, and the most that it asks of a key. */
  kind: OperationKind;
  roots: readonly string[];
  keyAccess: KeyAccess;
  path: readonly Input[];
  query: readonly (Input & { variable: string })[];
  /** null where the call takes no body. */
  body: {
    fields: readonly Input[];
    /** The variable that takes them together, and its type; null where each field is one. */
    variable: string | null;
    type: string | null;
  } | null;
}

/** @throws Error where the row doesn't fit the schema */
export function makeReady(schema: GraphQLSchema, call: Call): ReadyCall {
  const document = parse(call.operation);
  const [fault] = validate(schema, document);
  if (fault) throw new Error(`${call.method} ${call.path}: ${fault.message}`);
  const shape = shapeOf(schema, document);
  const variables = new Map<string, Input>();
  for (const definition of getOperationAST(document)?.variableDefinitions ?? []) {
    const name = definition.variable.name.value;
    const type = typeFromAST(schema, definition.type) as GraphQLInputType;
    const isRequired = isNonNullType(type) && definition.defaultValue === undefined;
    const description = shape.argumentOf(name)?.description ?? undefined;
    variables.set(name, { name, type, isRequired, description, items: itemsOf(type) });
  }
  const taken = (name: string): Input => {
    const input = variables.get(name);
    if (!input) throw new Error(`${call.method} ${call.path}: its operation has no $${name}.`);
    variables.delete(name);
    return input;
  };
  const path = pathVariables(call.path).map(taken);
  const query = Object.entries(call.query ?? {}).map(([name, variable]) => ({ ...taken(variable), name, variable }));
  const kind: OperationKind = getOperationAST(document)?.operation ?? 'query';
  const roots = shape.fields.map(({ name }) => name);
  const asked = roots.map((name) => keyAccessTo(kind, name));
  const keyAccess = asked.find((access) => access === 'never') ?? asked[0] ?? 'never';
  return { call, document, shape, kind, roots, keyAccess, path, query, body: bodyOf([...variables.values()]) };
}

function bodyOf(rest: readonly Input[]): ReadyCall['body'] {
  const [only] = rest;
  if (!only) return null;
  const named = getNamedType(only.type);
  if (only.items || !isInputObjectType(named)) return { fields: rest, variable: null, type: null };
  return { fields: fieldsOf(named), variable: only.name, type: named.name };
}

const fieldsOf = (type: GraphQLInputObjectType): Input[] =>
  Object.values(type.getFields()).map((field) => ({
    name: field.name,
    type: field.type,
    isRequired: isNonNullType(field.type),
    description: field.description ?? undefined,
    items: null,
  }));

function itemsOf(type: GraphQLInputType): Input['items'] {
  const named = getNamedType(type);
  const isList = isListType(getNullableType(type));
  return isList && isInputObjectType(named) ? { type: named.name, fields: fieldsOf(named) } : null;
}
