import { createSourceEventStream, type ExecutionArgs, type ExecutionResult, execute } from 'graphql';
import { compileOperation } from './compile-operation.ts';

type Results = AsyncGenerator<ExecutionResult, void, void>;

/** What an event's answer needs, read before it runs. */
export interface Ahead {
  ask(event: unknown, context: unknown): Promise<unknown>;
  /** What the loaders answer from until the next word. */
  use(answers: unknown): void;
}

/**
 * What graphql's `subscribe` does, with the operation made ready once and not for each event, and what its answers
 * need read ahead. An event that meets any fault is run again by graphql itself, which then says what is wrong.
 */
export async function followSubscription(args: ExecutionArgs, ahead?: Ahead): Promise<Results | ExecutionResult> {
  const source = await createSourceEventStream(args);
  if (!(Symbol.asyncIterator in source)) return source;
  const events: AsyncIterator<unknown> = source[Symbol.asyncIterator]();
  const run = compileOperation(args);

  async function answer(event: unknown): Promise<ExecutionResult> {
    if (!run) return execute({ ...args, rootValue: event });
    try {
      const answers = await ahead?.ask(event, args.contextValue);
      ahead?.use(answers);
      let data: ReturnType<typeof run>;
      try {
        data = run(event, args.contextValue);
      } finally {
        ahead?.use(undefined);
      }
      return { data: data instanceof Promise ? await data : data };
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
