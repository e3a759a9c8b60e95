import type { Client } from 'graphql-ws';
import { expect, it } from 'vitest';
import { makeBrowser } from '../../../test/browser.ts';
import { makeTestApi, setUpApi } from '../../../test/make-app.ts';
import { frame, rawSocket } from '../../../test/raw-socket.ts';

const api = setUpApi();

it('a client that does not answer the close frame can do nothing more and is disconnected', async () => {
  const { browser: ana, id: userId } = await api.user('ana');
  const { socket, seen } = await rawSocket(api, ana.cookie);

  await ana.gql('mutation { logout }');
  await expect.poll(() => seen.received, { timeout: 10_000 }).toContain('Session ended');
  const query =
    'mutation { createAlert(input: { make: "toyota", location: "Los Angeles, CA", radius: 50, onlyWithImages: true }) { id } }';
  if (!socket.destroyed) socket.write(frame({ id: '1', type: 'subscribe', payload: { query } }));
  await expect.poll(() => seen.ended, { timeout: 10_000 }).toBe(true);
  expect(await api.db.rows('select id from alerts where user_id = $1', [userId])).toEqual([]);
});

it('a client that does not read responses is disconnected before they pile up', async () => {
  const strict = await makeTestApi({ db: api.db, socketLimits: { waitingBytes: 200_000 } });
  const browser = makeBrowser(strict.url);
  await browser.register('deaf');
  const { socket, seen } = await rawSocket(strict, browser.cookie);
  socket.pause();
  const ping = frame({ type: 'ping', payload: { padding: 'x'.repeat(60_000) } });
  // The buffers of the system don't count.
  for (let sent = 0; sent < 600 && !socket.destroyed; sent += 1) {
    socket.write(ping);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  // A paused socket emits its end only when it is resumed.
  socket.resume();
  await expect.poll(() => seen.ended, { timeout: 10_000 }).toBe(true);
  await strict.close();
});

it('a connection that broke without a close is noticed by missing pongs', async () => {
  const asking = await makeTestApi({ db: api.db, socketLimits: { pingEveryMs: 100 } });
  const browser = makeBrowser(asking.url);
  await browser.register('silent');
  const { seen } = await rawSocket(asking, browser.cookie);
  await expect.poll(() => seen.ended, { timeout: 10_000 }).toBe(true);
  await asking.close();
});

it('sockets of a user are limited, and another can open when one ends', async () => {
  const narrow = await makeTestApi({ db: api.db, socketLimits: { socketsOfUser: 2 } });
  const [many, other] = [makeBrowser(narrow.url), makeBrowser(narrow.url)];
  await many.register('many-tabs');
  await other.register('one-tab');
  const [first, second] = [many.socket(), many.socket()];
  const me = async (client: Client) => {
    for await (const { data } of client.iterate({ query: '{ me { id } }' })) return data?.me;
  };
  const held = [first, second].map((client) => client.iterate({ query: 'subscription { matchAdded { cursor } }' }));
  for (const subscription of held) subscription.next().catch(() => undefined);
  expect([await me(first), await me(second), await me(other.socket())]).not.toContain(undefined);
  await expect(me(many.socket())).rejects.toMatchObject({ code: 1013, reason: 'Too many connections of one user' });
  await first.dispose();
  await expect.poll(() => me(many.socket()).catch(() => undefined), { timeout: 10_000 }).toBeDefined();
  await second.dispose();
  await narrow.close();
});

it('sockets of a process are limited', async () => {
  const full = await makeTestApi({ db: api.db, socketLimits: { sockets: 1 } });
  const [inside, outside] = [makeBrowser(full.url), makeBrowser(full.url)];
  await inside.register('inside');
  await outside.register('outside');
  const { socket } = await rawSocket(full, inside.cookie);
  const refused = outside.socket().iterate({ query: '{ me { id } }' }).next();
  await expect(refused).rejects.toMatchObject({ code: 1013, reason: 'Too many connections at the moment' });
  socket.destroy();
  await full.close();
});
