import { ApolloClient, ApolloLink, gql, InMemoryCache, Observable } from '@apollo/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { retryOnce } from './retry-once.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Answer = 'refused' | 'broken' | 'there';

/** A client whose server gives these answers one after another. */
function clientFor(...answers: Answer[]) {
  const calls: string[] = [];
  const server = new ApolloLink(
    ({ operationName }) =>
      new Observable((observer) => {
        calls.push(operationName ?? '');
        const answer = answers.shift() ?? 'there';
        if (answer === 'broken') return observer.error(new TypeError('no answer'));
        if (answer === 'refused') observer.next({ data: null, errors: [{ message: 'Not now' }] });
        else observer.next({ data: { plans: 'all four' } });
        observer.complete();
      }),
  );
  const client = new ApolloClient({ cache: new InMemoryCache(), link: retryOnce.concat(server) });
  const run = async (retry: boolean): Promise<unknown> => {
    const query = client.query({
      query: gql`query Plans { plans }`,
      fetchPolicy: 'no-cache',
      context: retry ? { retryOnce: true } : {},
    });
    const outcome = query.then(
      ({ data }) => data,
      (error: Error) => error.message,
    );
    // Not all timers: those of other files may start again and again.
    await vi.advanceTimersByTimeAsync(1_000);
    return outcome;
  };
  return { run, calls };
}

it.each<Answer>(['refused', 'broken'])('repeats a call once after an answer that was %s', async (first) => {
  const { run, calls } = clientFor(first, 'there');
  expect(await run(true)).toEqual({ plans: 'all four' });
  expect(calls).toHaveLength(2);
});

it('fails with the second answer, without a third call', async () => {
  const { run, calls } = clientFor('broken', 'refused', 'there');
  expect(await run(true)).toBe('Not now');
  expect(calls).toHaveLength(2);
  const broken = clientFor('refused', 'broken', 'there');
  expect(await broken.run(true)).toBe('no answer');
  expect(broken.calls).toHaveLength(2);
});

it('calls once if the first answer is good', async () => {
  const { run, calls } = clientFor('there');
  expect(await run(true)).toEqual({ plans: 'all four' });
  expect(calls).toHaveLength(1);
});

it.each<[Answer, string]>([
  ['refused', 'Not now'],
  ['broken', 'no answer'],
])('leaves every other call that was %s alone', async (first, message) => {
  const { run, calls } = clientFor(first, 'there');
  expect(await run(false)).toBe(message);
  expect(calls).toHaveLength(1);
});
