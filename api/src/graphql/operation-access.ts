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
import { requireUnrestricted } from '../policies/caller.ts';
import { type OperationKind, requireKeyAccess } from '../policies/key-operations.ts';
import { requirePasswordFor } from '../policies/password-operations.ts';
import type { Context } from './context.ts';

type RootField = GraphQLField<unknown, Context>;

const rootsOf = (schema: GraphQLSchema): [OperationKind, GraphQLObjectType | null | undefined][] => [
  ['query', schema.getQueryType()],
  ['mutation', schema.getMutationType()],
  ['subscription', schema.getSubscriptionType()],
];

function requireAccess(viewer: Viewer | null, kind: OperationKind, field: string): void {
  requireUnrestricted(viewer, field);
  requireKeyAccess(viewer, kind, field);
  requirePasswordFor(viewer, kind, field);
}

/** Puts the rules for restricted sessions, API keys and the password before every field that an operation can begin with. */
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
      requireAccess(context.viewer, kind, field.name);
      return subscribe?.(source, args, context, info);
    };
    return;
  }
  field.resolve = (source, args, context, info) => {
    requireAccess(context.viewer, kind, field.name);
    return resolve(source, args, context, info);
  };
}

/**
 * The same for a whole operation before it runs, so that none is half done.
 * @throws AppError FORBIDDEN, PASSWORD_NEEDED
 */
export function requireAccessTo(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  viewer: Viewer | null,
): void {
  if (!viewer) return;
  const seen = new Set<string>();
  const look = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) requireAccess(viewer, operation.operation, selection.name.value);
      else if (selection.kind === Kind.INLINE_FRAGMENT) look(selection.selectionSet);
      else if (!seen.has(selection.name.value)) {
        seen.add(selection.name.value);
        for (const one of document.definitions) {
          if (one.kind === Kind.FRAGMENT_DEFINITION && one.name.value === selection.name.value) look(one.selectionSet);
        }
      }
    }
  };
  look(operation.selectionSet);
}
