import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Browser } from '../../../test/browser.ts';
import { onCluster } from '../../../test/database.ts';
import { type KeyHolder, makeDealer, makeKey, makeKeyHolder, setPlan } from '../../../test/keys/key-holder.ts';
import { makeTestApi, setUpApi } from '../../../test/make-app.ts';

let dealer: { browser: Browser; userId: number };
let key: KeyHolder;
const api = setUpApi({}, async () => {
  dealer = await makeDealer(api, 'dealer');
});
beforeEach(async () => {
  key = await makeKey(api, dealer.browser, ['read']);
});

const follow = 'subscription { matchAdded { cursor } }';

interface Line {
  closed: Promise<{ code: number; reason: string; at: number }>;
  ask(query: string): Promise<unknown>;
}

/** Opens a socket with a subscription. */
async function openLine(holder: KeyHolder, options: Parameters<KeyHolder['socket']>[0] = {}): Promise<Line> {
  let onClosed = (_event: { code: number; reason: string }) => {};
  const closed = new Promise<{ code: number; reason: string; at: number }>((resolve) => {
    onClosed = ({ code, reason }) => resolve({ code, reason, at: performance.now() });
  });
  const client = holder.socket({ ...options, onClosed: (event) => onClosed(event) });
  client.subscribe({ query: follow }, { next() {}, error() {}, complete() {} });
  const ask = async (query: string) => {
    const { value } = await client.iterate({ query }).next();
    return value as unknown;
  };
  await Promise.race([ask('{ me { username } }'), closed]);
  return { closed, ask };
}

/** A second on a free machine. */
const SOON_MS = 5_000;

/** Milliseconds from an act until the socket closes. */
async function untilDead(line: Line, act: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await act();
  const { code, at } = await line.closed;
  expect(code).toBe(4401);
  return at - start;
}

describe('a socket', () => {
  it('is opened by the key in its parameters or in the header of its upgrade, in any case', async () => {
    const me = { data: { me: { username: 'dealer' } } };
    const authorization = `Bearer ${key.secret}`;
    const ways: Parameters<KeyHolder['socket']>[0][] = [
      {},
      { parameters: { authorization } },
      { parameters: {}, headers: { authorization } },
      { parameters: { Authorization: authorization }, headers: { cookie: 'x=y', origin: api.url } },
    ];
    for (const options of ways) {
      expect(await (await openLine(key, options)).ask('{ me { username } }')).toEqual(me);
    }
  });

  it('is closed for an invalid key, even with a valid cookie', async () => {
    const cookie = dealer.browser.cookie ?? '';
    for (const Authorization of ['', 'Bearer x', null, 7, ['Bearer'], { a: 1 }, `Bearer ${key.secret}0`]) {
      const line = await openLine(key, { parameters: { Authorization }, headers: { cookie, origin: api.url } });
      expect(await line.closed).toMatchObject({ code: 4401 });
    }
    const both = { Authorization: `Bearer ${key.secret}`, authorization: `Bearer ${key.secret}` };
    expect(await (await openLine(key, { parameters: both })).closed).toMatchObject({ code: 4401 });
  });

  it('whose upgrade has a wrong key gets 401 in JSON', async () => {
    const upgrade = [
      'GET /graphql HTTP/1.1',
      'Host: x',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
      'Sec-WebSocket-Protocol: graphql-transport-ws',
      `Cookie: ${dealer.browser.cookie}`,
      `Origin: ${api.url}`,
      'Authorization: Bearer x',
    ];
    const socket = connect(api.port, '127.0.0.1');
    socket.write(`${upgrade.join('\r\n')}\r\n\r\n`);
    const answer = await text(socket);
    expect(answer).toContain('HTTP/1.1 401 Unauthorized');
    expect(answer).toContain('"code":"UNAUTHENTICATED"');
  });

  it('with the scope read can read, and write nothing', async () => {
    const line = await openLine(key);
    const refused = await line.ask('mutation { deleteAlert(id: "1") }').catch((errors: unknown) => errors);
    expect(refused).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
    const never = await line.ask('{ apiKeys { id } }').catch((errors: unknown) => errors);
    expect(never).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  });

  it('closes within a second after a revocation, a change from Elite, and the end of an overlap', async () => {
    const revoke = () => dealer.browser.gql(`mutation { revokeApiKey(id: "${key.id}") }`);
    const line = await openLine(key);
    const bystander = await openLine(await makeKey(api, dealer.browser));
    expect(await untilDead(line, revoke)).toBeLessThan(SOON_MS);
    expect(await bystander.ask('{ me { username } }')).toBeDefined();

    expect(await untilDead(bystander, () => setPlan(api, dealer.userId, 3))).toBeLessThan(SOON_MS);
    await setPlan(api, dealer.userId, 4);

    const replaced = await makeKey(api, dealer.browser);
    const old = await openLine(replaced);
    const rotate = () =>
      dealer.browser.gql(`mutation { rotateApiKey(id: "${replaced.id}", overlapHours: 0) { secret } }`);
    expect(await untilDead(old, rotate)).toBeLessThan(SOON_MS);
  });

  it('closes within a second without a notification, and when a key expires', async () => {
    const line = await openLine(key);
    // A cluster has no triggers for the version before.
    const trigger = async (verb: 'disable' | 'enable') =>
      onCluster || api.db.pool.query(`alter table api_keys ${verb} trigger api_keys_end`);
    await trigger('disable');
    const revoke = () => api.db.pool.query('update api_keys set revoked_at = now() where id = $1', [key.id]);
    expect(await untilDead(line, revoke)).toBeLessThan(SOON_MS);
    const other = await makeKey(api, dealer.browser);
    const ending = await openLine(other);
    const endSoon = () =>
      api.db.pool.query("update api_keys set expires_at = now() + interval '300 ms' where id = $1", [other.id]);
    expect(await untilDead(ending, endSoon)).toBeLessThan(SOON_MS);
    await trigger('enable');
  });

  it('refuses an operation immediately after the revocation', async () => {
    const line = await openLine(key);
    await api.db.pool.query('update api_keys set revoked_at = now() where id = $1', [key.id]);
    const answer = await Promise.race([line.ask('{ me { id } }').catch((errors: unknown) => errors), line.closed]);
    expect(JSON.stringify(answer)).not.toContain('"me"');
  });

  it('counts each operation as a request, but a running subscription not as a concurrent one', async () => {
    const strict = await makeTestApi({
      db: api.db,
      env: { RATE_LIMITS: 'on', RATE_KEY_REQUESTS_PER_HOUR: '6', RATE_KEY_REQUESTS_AT_ONCE: '2' },
    });
    await api.db.pool.query('update api_allowances set window_ends_at = now()');
    const line = await openLine(makeKeyHolder(strict.url, key));
    for (let pair = 0; pair < 2; pair += 1) {
      await sleep(200);
      const answers = await Promise.all([line.ask('{ me { id } }'), line.ask('{ plans { id } }')]);
      for (const answer of answers) expect(answer).toHaveProperty('data');
    }
    const refused = await line.ask('{ me { id } }').catch((errors: unknown) => errors);
    expect(refused).toMatchObject([{ extensions: { code: 'RATE_LIMITED' } }]);
    await sleep(20);
    await strict.close();
  });
});
