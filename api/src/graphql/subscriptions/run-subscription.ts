import {
  createSourceEventStream,
  defaultFieldResolver,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  GraphQLSkipDirective,
  getArgumentValues,
  getDirectiveValues,
  getOperationAST,
  getVariableValues,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import type { MaybePromise } from '../loaders/batch.ts';

type Complete = (value: unknown, context: unknown) => unknown;

/** One field of the result, compiled once instead of for each event. */
interface CompiledField {
  key: string;
  run(source: unknown, context: unknown): unknown;
}

const isPromise = (value: unknown): value is Promise<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';

/** Thrown for errors, forbidden nulls and unsupported types: graphql's own `execute` then runs the event. */
class FallBackToGraphql extends Error {}

/**
 * Compiles an operation that runs many times: names, fragments, arguments and types are looked up once.
 * @returns null for unsupported operations (abstract types); the compiled function throws at the first error, and
 * graphql's own `execute` must then run the event again to report it
 */
export function compileOperation(args: ExecutionArgs) {
  const { schema, document } = args;
  const operation = getOperationAST(document, args.operationName);
  const root = operation && schema.getRootType(operation.operation);
  if (!operation || !root) return null;
  const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], args.variableValues ?? {});
  if (!coerced) return null;
  const variables = coerced;
  const fragments: Record<string, FragmentDefinitionNode> = {};
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments[definition.name.value] = definition;
  }

  function isIncluded(node: SelectionSetNode['selections'][number]): boolean {
    return (
      getDirectiveValues(GraphQLSkipDirective, node, variables)?.if !== true &&
      getDirectiveValues(GraphQLIncludeDirective, node, variables)?.if !== false
    );
  }

  function collect(type: GraphQLObjectType, set: SelectionSetNode, into: Map<string, FieldNode[]>): void {
    for (const node of set.selections.filter(isIncluded)) {
      if (node.kind === Kind.FIELD) {
        const key = node.alias?.value ?? node.name.value;
        into.set(key, [...(into.get(key) ?? []), node]);
        continue;
      }
      const inner = node.kind === Kind.FRAGMENT_SPREAD ? fragments[node.name.value] : node;
      const condition = inner?.typeCondition?.name.value;
      if (condition !== undefined && !isObjectType(schema.getType(condition))) throw new FallBackToGraphql();
      if (inner && (condition === undefined || condition === type.name)) collect(type, inner.selectionSet, into);
    }
  }

  function compileField(type: GraphQLObjectType, key: string, nodes: [FieldNode, ...FieldNode[]]): CompiledField {
    // Assigning to this key would set the prototype of the result.
    if (key === '__proto__') throw new FallBackToGraphql();
    const name = nodes[0].name.value;
    if (name === '__typename') return { key, run: () => type.name };
    const field = type.getFields()[name];
    if (!field) throw new FallBackToGraphql();
    const complete = completerOf(field.type, nodes);
    const resolve = field.resolve ?? defaultFieldResolver;
    const values = getArgumentValues(field, nodes[0], variables);
    const info: GraphQLResolveInfo = {
      fieldName: name,
      fieldNodes: nodes,
      returnType: field.type,
      parentType: type,
      path: { prev: undefined, key, typename: type.name },
      schema,
      fragments,
      rootValue: undefined,
      operation: operation as NonNullable<typeof operation>,
      variableValues: variables,
    };
    return {
      key,
      run(source, context) {
        const value = resolve(source, values, context, info);
        return isPromise(value) ? value.then((resolved) => complete(resolved, context)) : complete(value, context);
      },
    };
  }

  function completerOf(type: GraphQLOutputType, nodes: readonly FieldNode[]): Complete {
    if (isNonNullType(type)) {
      const inner = completerOf(type.ofType, nodes);
      return (value, context) => {
        if (value === null || value === undefined) throw new FallBackToGraphql();
        return inner(value, context);
      };
    }
    if (isListType(type)) {
      const inner = completerOf(type.ofType, nodes);
      return (value, context) => {
        if (value === null || value === undefined) return null;
        if (!Array.isArray(value)) throw new FallBackToGraphql();
        const items: unknown[] = [];
        try {
          for (const item of value as unknown[]) items.push(inner(item, context));
        } catch (error) {
          ignoreRejections(items);
          throw error;
        }
        return items.some(isPromise) ? Promise.all(items) : items;
      };
    }
    if (isLeafType(type)) {
      return (value) => {
        if (value === null || value === undefined || value instanceof Error) return nullUnlessError(value);
        return type.serialize(value);
      };
    }
    if (!isObjectType(type)) throw new FallBackToGraphql();
    const fields = new Map<string, FieldNode[]>();
    for (const { selectionSet } of nodes) if (selectionSet) collect(type, selectionSet, fields);
    return completerOfObject(type, fields);
  }

  function completerOfObject(type: GraphQLObjectType, fields: Map<string, FieldNode[]>): Complete {
    const compiled = [...fields].map(([key, nodes]) => compileField(type, key, nodes as [FieldNode, ...FieldNode[]]));
    return (source, context) => {
      if (source === null || source === undefined) return null;
      if (source instanceof Error) throw new FallBackToGraphql();
      const answer: Record<string, unknown> = {};
      const pending: Promise<unknown>[] = [];
      try {
        for (const { key, run } of compiled) {
          const value = run(source, context);
          answer[key] = value;
          if (isPromise(value)) {
            pending.push(
              value.then((resolved) => {
                answer[key] = resolved;
              }),
            );
          }
        }
      } catch (error) {
        ignoreRejections(pending);
        throw error;
      }
      return pending.length > 0 ? Promise.all(pending).then(() => answer) : answer;
    };
  }

  try {
    const fields = new Map<string, FieldNode[]>();
    collect(root, operation.selectionSet, fields);
    const complete = completerOfObject(root, fields);
    return (event: unknown, context: unknown) => complete(event, context) as MaybePromise<Record<string, unknown>>;
  } catch (error) {
    if (error instanceof FallBackToGraphql || error instanceof GraphQLError) return null;
    throw error;
  }
}

/** Once the result has failed nobody awaits these, and an unhandled rejection would end the process. */
function ignoreRejections(values: readonly unknown[]): void {
  for (const value of values) if (isPromise(value)) value.catch(() => {});
}

function nullUnlessError(value: unknown): null {
  if (value instanceof Error) throw new FallBackToGraphql();
  return null;
}

type Results = AsyncGenerator<ExecutionResult, void, void>;

/** Makes the context for one event's result; its loaders already hold the data. */
type ContextOf = (event: unknown, context: unknown) => Promise<unknown>;

/**
 * Does what graphql's `subscribe` does, but compiles the operation once and prefetches its data. If a result fails in
 * any way, graphql's own `execute` runs it again and reports the error.
 */
export async function runSubscription(args: ExecutionArgs, contextOf: ContextOf): Promise<Results | ExecutionResult> {
  const source = await createSourceEventStream(args);
  if (!(Symbol.asyncIterator in source)) return source;
  const events: AsyncIterator<unknown> = source[Symbol.asyncIterator]();
  const run = compileOperation(args);

  async function resultOf(event: unknown): Promise<ExecutionResult> {
    if (!run) return execute({ ...args, rootValue: event });
    try {
      return { data: await run(event, await contextOf(event, args.contextValue)) };
    } catch {
      return execute({ ...args, rootValue: event });
    }
  }

  const results: Results = {
    async next() {
      const { value, done } = await events.next();
      return done ? { value: undefined, done: true } : { value: await resultOf(value), done: false };
    },
    async return() {
      await events.return?.();
      return { value: undefined, done: true };
    },
    async throw(error: unknown) {
      await events.return?.();
      throw error;
    },
    [Symbol.asyncIterator]: () => results,
    [Symbol.asyncDispose]: async () => {
      await events.return?.();
    },
  };
  return results;
}
