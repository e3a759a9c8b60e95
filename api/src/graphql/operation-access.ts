import {
  type DocumentNode,
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import type { Viewer } from '../accounts/signed-in.ts';
import { traced } from '../base/traced.ts';
import type { OperationKind } from '../policies/operations.ts';
import { requireOperation, requireSessionFor } from '../policies/require-operation.ts';
import type { Context } from './context.ts';

type RootField = GraphQLField<unknown, Context>;

const rootsOf = (schema: GraphQLSchema): [OperationKind, GraphQLObjectType | null | undefined][] => [
  ['query', schema.getQueryType()],
  ['mutation', schema.getMutationType()],
  ['subscription', schema.getSubscriptionType()],
];

/** Makes every root field check the table of operations before it runs. */
export function guardOperations(schema: GraphQLSchema): GraphQLSchema {
  for (const [kind, type] of rootsOf(schema)) {
    for (const field of Object.values(type?.getFields() ?? {})) guard(kind, field);
  }
  return schema;
}

function guard(kind: OperationKind, field: RootField): void {
  const { resolve = defaultFieldResolver, subscribe } = field;
  if (kind === 'subscription') {
    field.subscribe = (source, args, context, info) => {
      requireOperation(context.viewer, kind, field.name);
      return subscribe?.(source, args, context, info);
    };
    return;
  }
  field.resolve = (source, args, context, info) => {
    requireOperation(context.viewer, kind, field.name);
    return traced({ name: `${kind} ${field.name}`, attributes: {} }, async () => resolve(source, args, context, info));
  };
}

/**
 * Checks all root fields of an operation before it runs, so that none is done where another is refused.
 * @throws AppError FORBIDDEN, PASSWORD_NEEDED
 */
export function requireAccessTo(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  viewer: Viewer | null,
): void {
  if (!viewer) return;
  const seen = new Set<string>();
  const check = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) requireSessionFor(viewer, operation.operation, selection.name.value);
      else if (selection.kind === Kind.INLINE_FRAGMENT) check(selection.selectionSet);
      else if (!seen.has(selection.name.value)) {
        seen.add(selection.name.value);
        for (const one of document.definitions) {
          if (one.kind === Kind.FRAGMENT_DEFINITION && one.name.value === selection.name.value) check(one.selectionSet);
        }
      }
    }
  };
  check(operation.selectionSet);
}
