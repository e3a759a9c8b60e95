import { expect, it, vi } from 'vitest';
import { serveMongo } from '../../../test/servers/mongo-wire.ts';
import { freePort } from '../../base/free-port.ts';
import { makeMongoStore } from './mongo-store.ts';

it('tries until a store is back that was away for longer than one connection is tried', { tags: 'long' }, async () => {
  const port = await freePort();
  const warn = vi.fn();
  const store = makeMongoStore(`mongodb://127.0.0.1:${port}/jobs`, warn);
  const stopping = new AbortController();
  const again = store.reconnect?.(stopping.signal);
  again?.catch(() => {});
  expect(store.reconnect?.(stopping.signal)).toBe(again);
  // A connection is tried for 5 s.
  await expect.poll(() => warn.mock.calls.length, { timeout: 20_000 }).toBe(1);
  const server = await serveMongo(async () => ({ ok: 1, ismaster: true, minWireVersion: 0, maxWireVersion: 21 }), port);
  await again;
  stopping.abort();
  await store.close();
  await server.close();
});
