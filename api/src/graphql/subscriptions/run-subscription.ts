import { createSourceEventStream, type ExecutionArgs, type ExecutionResult, execute } from 'graphql';
import { compileOperation } from './compile-operation.ts';

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
