import { ApolloClient, ApolloLink, gql, InMemoryCache, Observable } from '@apollo/client';
import { expect, it, vi } from 'vitest';
import { makeRefusalLink } from './refusals.ts';

async function reported(code: string, operation: string): Promise<number[]> {
  const onSignedOut = vi.fn();
  const onPlanRefused = vi.fn();
  const server = new ApolloLink(
    () =>
      new Observable((observer) => {
        observer.next({ errors: [{ message: 'No', extensions: { code } }] });
        observer.complete();
      }),
  );
  const link = makeRefusalLink({ onSignedOut, onPlanRefused }).concat(server);
  const client = new ApolloClient({ cache: new InMemoryCache(), link });
  await expect(client.query({ query: gql(`query ${operation} { webhooks }`) })).rejects.toThrow('No');
  return [onSignedOut.mock.calls.length, onPlanRefused.mock.calls.length];
}

it.each([
  ['UNAUTHENTICATED', 'Webhooks', [1, 0]],
  ['UNAUTHENTICATED', 'Login', [0, 0]],
  ['PLAN_REQUIRED', 'Webhooks', [0, 1]],
  ['INTERNAL', 'Webhooks', [0, 0]],
])('%s on %s is passed on, and expected', async (code, operation, expected) => {
  expect(await reported(code, operation)).toEqual(expected);
});
