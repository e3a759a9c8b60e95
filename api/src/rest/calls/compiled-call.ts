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
import { type Access, type KeyAccess, type OperationKind, operationOf } from '../../policies/operations.ts';
import { type Call, pathVariables } from './call.ts';
import { type OperationShape, shapeOf } from './shape.ts';

/** A field of the body, or a parameter in the path or query. */
export interface Input {
  name: string;
  type: GraphQLInputType;
  isRequired: boolean;
  description: string | undefined;
  /** The fields of each object of a list; null for everything else. */
  items: { type: string; fields: readonly Input[] } | null;
}

/** A call with everything that is derived from its operation. */
export interface CompiledCall {
  call: Call;
  document: DocumentNode;
  shape: OperationShape;
  /** The operation's root fields, and the strictest access that the table of operations states for them. */
  kind: OperationKind;
  roots: readonly string[];
  access: Access;
  keyAccess: KeyAccess;
  asksForPassword: boolean;
  path: readonly Input[];
  query: readonly (Input & { variable: string })[];
  /** null if the call takes no body. */
  body: {
    fields: readonly Input[];
    /** The input object that holds the fields, and its type; null if each field is a variable. */
    variable: string | null;
    type: string | null;
  } | null;
}

/** @throws Error if the row doesn't fit the schema */
export function compileCall(schema: GraphQLSchema, call: Call): CompiledCall {
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
  return {
    call,
    document,
    shape,
    kind,
    roots,
    ...rulesOf(call, kind, roots),
    path,
    query,
    body: bodyOf([...variables.values()]),
  };
}

/** @throws Error for an operation without a row in the table of operations */
function rulesOf(
  call: Call,
  kind: OperationKind,
  roots: readonly string[],
): Pick<CompiledCall, 'access' | 'keyAccess' | 'asksForPassword'> {
  const rows = roots.map((name) => {
    const row = operationOf(kind, name);
    if (!row) throw new Error(`${call.method} ${call.path}: the table of operations has no ${kind} ${name}.`);
    return row;
  });
  const accesses = [...rows.map(({ access }) => access), ...(call.signedIn ? (['user'] as const) : [])];
  const keys = rows.map((row) => row.keys);
  return {
    access: (['admin', 'user'] as const).find((one) => accesses.includes(one)) ?? 'anyone',
    keyAccess: keys.find((one) => one === 'never') ?? keys[0] ?? 'never',
    asksForPassword: rows.some(({ password }) => password !== undefined),
  };
}

function bodyOf(rest: readonly Input[]): CompiledCall['body'] {
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
