import { expect, it } from 'vitest';
import { type Browser } from '../../../test/browser.ts';
import { makeTestApi, setUpApi, type TestApi } from '../../../test/make-app.ts';
import { frame, type RawSocket, rawSocket, upgradeByHand } from '../../../test/raw-socket.ts';
import type { SocketLimits } from './socket-limits.ts';

let ana: Browser;
const api = setUpApi({}, async () => {
  ({ browser: ana } = await api.user('ana'));
});

async function withBounds(socketBounds: Partial<SocketLimits>, use: (api: TestApi) => Promise<void>): Promise<void> {
  const bounded = await makeTestApi({ db: api.db, env: { TRUSTED_PROXIES: '1' }, socketLimits: socketBounds });
  try {
    await use(bounded);
  } finally {
    await bounded.close();
  }
}

const from = (address: string, ...more: string[]) => [`X-Forwarded-For: ${address}`, ...more];
const statusOf = ({ seen }: RawSocket) => Number(seen.received.split(' ')[1]);

it('a socket that is not initialised is closed after the timeout, even if its client does not answer', async () => {
  await withBounds({ initialiseWithinMs: 700 }, async (bounded) => {
    const cookie = `Cookie: ${ana.cookie}`;
    const silent = [await upgradeByHand(bounded), await upgradeByHand(bounded, [cookie])];
    const pinging = await upgradeByHand(bounded, [cookie]);
    const pings = setInterval(() => pinging.socket.write(frame({ type: 'ping', payload: { x: 'x'.repeat(200) } })), 20);
    for (const { seen } of [...silent, pinging]) {
      expect(seen.received).toContain('101 Switching');
      await expect.poll(() => seen.ended).toBe(true);
      expect(seen.received).toContain('Connection initialisation timeout');
    }
    clearInterval(pings);
    const initialised = await rawSocket(bounded, ana.cookie);
    await new Promise((resolve) => setTimeout(resolve, 900));
    expect(initialised.seen.ended).toBe(false);
    initialised.socket.destroy();
  });
});

it('a refused socket ends, even if its client leaves its side open', async () => {
  for (const lines of [['Authorization: Bearer x'], ['Authorization: y']]) {
    const refused = await upgradeByHand(api, lines, true);
    expect(statusOf(refused)).toBe(401);
    const writing = setInterval(() => refused.socket.write('x'), 50);
    await expect.poll(() => refused.seen.ended).toBe(true);
    clearInterval(writing);
  }
  // Without a cookie or a key it belongs to a visitor, who can't subscribe.
  const visitor = await upgradeByHand(api);
  visitor.socket.write(frame({ type: 'connection_init', payload: { x: 'x'.repeat(200) } }));
  await expect.poll(() => visitor.seen.received).toContain('Sign in first');
  await expect.poll(() => visitor.seen.ended).toBe(true);
});

it('uninitialised sockets of a network are limited for all its addresses, and other networks not affected', async () => {
  await withBounds({ uninitialisedOfNetwork: 2 }, async (bounded) => {
    const held = [
      await upgradeByHand(bounded, from('2001:db8:1:2::1')),
      await upgradeByHand(bounded, from('2001:db8:1:2:ffff::2')),
    ];
    const refused = await upgradeByHand(bounded, from('2001:db8:1:2::3'));
    expect(statusOf(refused)).toBe(429);
    expect(refused.seen.received).toMatch(/Retry-After: \d+/);
    expect(refused.seen.received).toContain('"code":"RATE_LIMITED"');
    expect(statusOf(await upgradeByHand(bounded, from('2001:db8:1:3::1')))).toBe(101);
    expect(statusOf(await upgradeByHand(bounded, from('192.0.2.1')))).toBe(101);
    expect(statusOf(await upgradeByHand(bounded, from('::ffff:192.0.2.1')))).toBe(101);
    expect(statusOf(await upgradeByHand(bounded, from('192.0.2.1')))).toBe(429);
    held[0]?.socket.destroy();
    await expect.poll(async () => statusOf(await upgradeByHand(bounded, from('2001:db8:1:2::4')))).toBe(101);
  });
});

it('uninitialised sockets are limited in total', async () => {
  await withBounds({ uninitialised: 2 }, async (bounded) => {
    const first = await upgradeByHand(bounded, from('192.0.2.1', `Cookie: ${ana.cookie}`));
    await upgradeByHand(bounded, from('192.0.2.2'));
    expect(statusOf(await upgradeByHand(bounded, from('192.0.2.3')))).toBe(503);
    first.socket.write(frame({ type: 'connection_init', payload: { x: 'x'.repeat(200) } }));
    await expect.poll(() => first.seen.received).toContain('connection_ack');
    expect(statusOf(await upgradeByHand(bounded, from('192.0.2.3')))).toBe(101);
    first.socket.destroy();
  });
});

it('sockets of a network are limited, and another can open when one ends', async () => {
  await withBounds({ socketsOfNetwork: 2 }, async (bounded) => {
    const [one, two] = [await rawSocket(bounded, ana.cookie), await rawSocket(bounded, ana.cookie)];
    expect(statusOf(await upgradeByHand(bounded, [`Cookie: ${ana.cookie}`]))).toBe(429);
    expect(statusOf(await upgradeByHand(bounded, from('192.0.2.9', `Cookie: ${ana.cookie}`)))).toBe(101);
    one.socket.destroy();
    await expect.poll(async () => statusOf(await upgradeByHand(bounded, [`Cookie: ${ana.cookie}`]))).toBe(101);
    two.socket.destroy();
  });
});

it('operations of a socket count as requests of the address of its upgrade', async () => {
  const env = { RATE_LIMITS: 'on', RATE_REQUESTS_PER_USER: '1', TRUSTED_PROXIES: '1' };
  const limited = await makeTestApi({ db: api.db, env });
  const guess = (address: string) => upgradeByHand(limited, from(address, 'Authorization: Bearer nothing'));
  expect(statusOf(await guess('192.0.2.50'))).toBe(401);
  expect(statusOf(await guess('192.0.2.50'))).toBe(429);
  expect(statusOf(await guess('192.0.2.51'))).toBe(401);
  const plain = await fetch(`${limited.url}/api/subscription/plans`, { headers: { 'x-forwarded-for': '192.0.2.50' } });
  expect(plain.status).toBe(429);
  await limited.close();
});
