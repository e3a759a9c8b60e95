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

/** What an operation answers at one place: its type and, for objects, what was asked of them. */
export interface Shape {
  name: string;
  type: GraphQLOutputType;
  description: string | undefined;
  /** Empty for what is no object. */
  fields: readonly Shape[];
}

/** The operation's root: its fields are what was asked. */
export interface OperationShape {
  fields: readonly Shape[];
  /** Where a variable goes, by its name. */
  argumentOf(variable: string): GraphQLArgument | undefined;
}

/** Reads an operation that has neither fragments nor aliases. */
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

/** Ids are numbers outside GraphQL, but the names of deletion requests. */
export const isNumberId = (name: string, type: GraphQLNamedType): boolean => type.name === 'ID' && name !== 'requestId';

/** What an operation answered, with ids as numbers. */
export function withNumberIds(answered: Record<string, unknown>, fields: readonly Shape[]): Record<string, unknown> {
  return Object.fromEntries(fields.map((shape) => [shape.name, presented(answered[shape.name], shape)]));
}

function presented(value: unknown, shape: Shape): unknown {
  if (Array.isArray(value)) return value.map((item) => presented(item, shape));
  if (value === null || value === undefined) return null;
  if (shape.fields.length > 0) return withNumberIds(value as Record<string, unknown>, shape.fields);
  return isNumberId(shape.name, getNamedType(shape.type)) ? Number(value) : value;
}
