import {
  type DocumentNode,
  type FieldNode,
  type GraphQLArgument,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getOperationAST,
  isObjectType,
  type SelectionSetNode,
} from 'graphql';

/** One place in an operation's result: its type and, for objects, the selected fields. */
export interface Shape {
  name: string;
  type: GraphQLOutputType;
  description: string | undefined;
  /** Empty unless it is an object. */
  fields: readonly Shape[];
}

/** The operation's root. */
export interface OperationShape {
  fields: readonly Shape[];
  /** The argument that each variable sets, by the variable's name. */
  argumentOf(variable: string): GraphQLArgument | undefined;
}

/** Reads an operation without fragments and aliases. */
export function shapeOf(schema: GraphQLSchema, document: DocumentNode): OperationShape {
  const operation = getOperationAST(document);
  const root = operation && schema.getRootType(operation.operation);
  if (!operation || !root) throw new Error('There is no operation.');
  const places = new Map<string, GraphQLArgument>();

  function fieldShape(parent: GraphQLObjectType, node: FieldNode): Shape {
    const field = parent.getFields()[node.name.value];
    if (!field) throw new Error(`${parent.name} has no ${node.name.value}.`);
    for (const { name, value } of node.arguments ?? []) {
      const argument = field.args.find((one) => one.name === name.value);
      if (value.kind === 'Variable' && argument) places.set(value.name.value, argument);
    }
    const named = getNamedType(field.type);
    const fields = node.selectionSet && isObjectType(named) ? fieldShapes(named, node.selectionSet) : [];
    return { name: field.name, type: field.type, description: field.description ?? undefined, fields };
  }

  function fieldShapes(parent: GraphQLObjectType, { selections }: SelectionSetNode): Shape[] {
    return selections.map((node) => {
      if (node.kind !== 'Field' || node.alias) throw new Error('Only plain fields can be asked for here.');
      return fieldShape(parent, node);
    });
  }

  const fields = fieldShapes(root, operation.selectionSet);
  return { fields, argumentOf: (variable) => places.get(variable) };
}

/** Ids are numbers in REST, except the names of deletion requests. */
export const isNumberId = (name: string, type: GraphQLNamedType): boolean => type.name === 'ID' && name !== 'requestId';

/** Converts the ids in a result to numbers. */
export function withNumberIds(answered: Record<string, unknown>, fields: readonly Shape[]): Record<string, unknown> {
  return Object.fromEntries(fields.map((shape) => [shape.name, presented(answered[shape.name], shape)]));
}

function presented(value: unknown, shape: Shape): unknown {
  if (Array.isArray(value)) return value.map((item) => presented(item, shape));
  if (value === null || value === undefined) return null;
  if (shape.fields.length > 0) return withNumberIds(value as Record<string, unknown>, shape.fields);
  return isNumberId(shape.name, getNamedType(shape.type)) ? Number(value) : value;
}
