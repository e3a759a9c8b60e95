import { ApolloClient, ApolloLink, gql, InMemoryCache, Observable } from '@apollo/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { retryOnce } from './retry-once.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Answer = 'refused' | 'broken' | 'there';

/** A client whose server gives these answers one after another. */
function clientFor(...answers: Answer[]) {
  const asked: string[] = [];
  const server = new ApolloLink(
    ({ operationName }) =>
      new Observable((observer) => {
        asked.push(operationName ?? '');
        const answer = answers.shift() ?? 'there';
        if (answer === 'broken') return observer.error(new TypeError('no answer'));
        if (answer === 'refused') observer.next({ data: null, errors: [{ message: 'Not now' }] });
        else observer.next({ data: { plans: 'all four' } });
        observer.complete();
      }),
  );
  const client = new ApolloClient({ cache: new InMemoryCache(), link: retryOnce.concat(server) });
  const ask = async (retry: boolean): Promise<unknown> => {
    const query = client.query({
      query: gql`query Plans { plans }`,
      fetchPolicy: 'no-cache',
      context: retry ? { retryOnce: true } : {},
    });
    const outcome = query.then(
      ({ data }) => data,
      (error: Error) => error.message,
    );
    await vi.runAllTimersAsync();
    return outcome;
  };
  return { ask, asked };
}

it.each<Answer>(['refused', 'broken'])('asks once more after an answer that was %s', async (first) => {
  const { ask, asked } = clientFor(first, 'there');
  expect(await ask(true)).toEqual({ plans: 'all four' });
  expect(asked).toHaveLength(2);
});

it('fails with the second answer, and asks no third time', async () => {
  const { ask, asked } = clientFor('broken', 'refused', 'there');
  expect(await ask(true)).toBe('Not now');
  expect(asked).toHaveLength(2);
  const broken = clientFor('refused', 'broken', 'there');
  expect(await broken.ask(true)).toBe('no answer');
  expect(broken.asked).toHaveLength(2);
});

it('asks once when the first answer is good', async () => {
  const { ask, asked } = clientFor('there');
  expect(await ask(true)).toEqual({ plans: 'all four' });
  expect(asked).toHaveLength(1);
});

it.each<[Answer, string]>([
  ['refused', 'Not now'],
  ['broken', 'no answer'],
])('leaves every other call that was %s alone', async (first, message) => {
  const { ask, asked } = clientFor(first, 'there');
  expect(await ask(false)).toBe(message);
  expect(asked).toHaveLength(1);
});
