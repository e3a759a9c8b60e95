import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { serverOfTest } from '../../test/set-up.ts';
import { signalOfLeaving } from './make-graphql.ts';

/** Calls a server that is in no hurry, and leaves once it has the request. @returns its response */
async function leaveEarly(): Promise<ServerResponse> {
  const leaving = new AbortController();
  const received = Promise.withResolvers<ServerResponse>();
  const url = await serverOfTest((_request, response) => received.resolve(response));
  const left = fetch(url, { signal: leaving.signal });
  const response = await received.promise;
  leaving.abort();
  await expect(left).rejects.toThrow();
  return response;
}

it('a caller who leaves is noticed, also if that was before anybody asked', async () => {
  const response = await leaveEarly();
  const signal = signalOfLeaving(response);
  if (!signal.aborted) await once(signal, 'abort');
  expect(signal.reason).toMatchObject({ code: 'UNAVAILABLE' });
  expect(response.destroyed).toBe(true);
  expect(signalOfLeaving(response).aborted).toBe(true);
});

it('a caller who waits for the whole answer has not left', async () => {
  const signals: AbortSignal[] = [];
  const closed = Promise.withResolvers<void>();
  const url = await serverOfTest((_request, response) => {
    signals.push(signalOfLeaving(response));
    response.once('close', closed.resolve);
    response.end('answer');
  });
  expect(await (await fetch(url)).text()).toBe('answer');
  await closed.promise;
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
});
