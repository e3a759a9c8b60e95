import type { EntityManager } from '@mikro-orm/postgresql';
import { type DocumentNode, execute, type GraphQLSchema } from 'graphql';
import type { Caller } from '../accounts/signed-in.ts';
import { type ApiParts, makeContext } from './context.ts';
import { firstErrorOf } from './errors/format-error.ts';

/**
 * Runs an operation in process, for a caller. @param document valid for the schema
 * @param em of the transaction that the operation becomes a part of
 * @returns the whole result; if any field fails, the operation fails
 * @throws what a resolver threw; AppError VALIDATION with `fields` for invalid variables
 */
export type RunOperation = (
  document: DocumentNode,
  variables: Record<string, unknown>,
  caller: Caller,
  em?: EntityManager,
) => Promise<Record<string, unknown>>;

export function makeRunOperation(schema: GraphQLSchema, parts: ApiParts): RunOperation {
  return async (document, variableValues, caller, em) => {
    const contextValue = makeContext(parts, caller, { em });
    const { data, errors } = await execute({ schema, document, variableValues, contextValue });
    if (errors || !data) throw firstErrorOf(errors ?? []);
    return data;
  };
}
