import { createSourceEventStream, type ExecutionArgs, type ExecutionResult, execute } from 'graphql';
import { compileOperation } from './compile-operation.ts';

type Results = AsyncGenerator<ExecutionResult, void, void>;

/** The context for one event's answer; its loaders have read ahead what the answer needs. */
export type ContextOf = (event: unknown, context: unknown) => Promise<unknown>;

/**
 * What graphql's `subscribe` does, with the operation made ready once and not for each event, and what its answers
 * need read ahead. An event that meets any fault is run again by graphql itself, which then says what is wrong.
 */
export async function followSubscription(
  args: ExecutionArgs,
  contextOf: ContextOf,
): Promise<Results | ExecutionResult> {
  const source = await createSourceEventStream(args);
  if (!(Symbol.asyncIterator in source)) return source;
  const events: AsyncIterator<unknown> = source[Symbol.asyncIterator]();
  const run = compileOperation(args);

  async function answer(event: unknown): Promise<ExecutionResult> {
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
      return done ? { value: undefined, done: true } : { value: await answer(value), done: false };
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
