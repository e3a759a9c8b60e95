/** @module-tag long */
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { type Browser, makeBrowser } from '../../../test/browser.ts';
import { makeTestApi, setUpApi, type TestApi } from '../../../test/make-app.ts';
import { makeTcpProxy } from '../../../test/tcp-proxy.ts';
import { makePool } from '../../base/database.ts';
import { readSettings } from '../../base/settings/settings.ts';
import { makeRateLimits } from './rate-limits.ts';

const PASSWORD = 'secret-1';
/** The limits of two processes on one database. */
let both: TestApi[];
const api = setUpApi({}, async () => {
  await makeBrowser(api.url).register('somebody');
  await start({
    RATE_LOGINS_PER_ACCOUNT: '5',
    RATE_LOGINS_PER_ACCOUNT_EVERYWHERE: '8',
    RATE_LOGINS_PER_ADDRESS: '12',
    RATE_REGISTRATIONS_PER_ADDRESS: '3',
    RATE_REQUESTS_PER_USER: '100',
    TRUSTED_PROXIES: '1',
  });
});
beforeEach(() => api.db.pool.query('truncate rate_limits'));
afterAll(async () => {
  for (const one of both) await one.close();
});

async function start(env: Record<string, string>): Promise<void> {
  both = [];
  for (let process = 0; process < 2; process += 1)
    both.push(await makeTestApi({ db: api.db, env: { RATE_LIMITS: 'on', ...env } }));
}

const browserOf = (call: number): Browser => makeBrowser(both[call % 2]?.url ?? '');
const codes = (answers: readonly { errors: { extensions: Record<string, unknown> }[] }[]) =>
  answers.map(({ errors }) => errors[0]?.extensions.code ?? 'OK');
const count = (list: readonly unknown[], value: unknown) => list.filter((one) => one === value).length;

/** Sends requests from one address, half of them to each process. */
async function tryAtBoth(times: number, query: (call: number) => string, address = '192.0.2.1') {
  const answers = await Promise.all(
    Array.from({ length: times }, (_, call) => browserOf(call).gql(query(call), {}, { 'x-forwarded-for': address })),
  );
  for (const { status, headers, errors } of answers.filter(
    ({ errors: [error] }) => error?.extensions.code === 'RATE_LIMITED',
  )) {
    expect(status).toBe(429);
    expect(errors[0]?.message).toBe('Too many tries. Please wait a moment and try again.');
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  }
  return codes(answers);
}

const login = (name: string, password = 'wrong') =>
  `mutation { login(username: "${name}", password: "${password}") { id } }`;

describe('two processes share the limit of', () => {
  it('logins of an account from one network and from all, exactly', async () => {
    const answers = await tryAtBoth(11, () => login('somebody'));
    expect([count(answers, 'UNAUTHENTICATED'), count(answers, 'RATE_LIMITED')]).toEqual([5, 6]);
    const elsewhere = await tryAtBoth(4, () => login('somebody', PASSWORD), '192.0.2.2');
    expect([count(elsewhere, 'OK'), count(elsewhere, 'RATE_LIMITED')]).toEqual([3, 1]);
  });

  it('logins of a network, exactly', async () => {
    const answers = await tryAtBoth(20, (call) => login(`name-${call}`));
    expect([count(answers, 'UNAUTHENTICATED'), count(answers, 'RATE_LIMITED')]).toEqual([12, 8]);
    expect(await tryAtBoth(2, () => login('somebody', PASSWORD), '192.0.2.2')).toEqual(['OK', 'OK']);
  });

  it('registrations of a network, exactly', async () => {
    const register = (call: number) =>
      `mutation { register(input: { username: "new-${call}", password: "${PASSWORD}", email: "new-${call}@example.test" }) { id } }`;
    const answers = await tryAtBoth(8, register);
    expect([count(answers, 'OK'), count(answers, 'RATE_LIMITED')]).toEqual([3, 5]);
  });

  it.each([
    { who: 'a user', me: true },
    { who: 'a visitor by the address', me: false },
  ])('requests of $who, never more than the limit and at most a twentieth less', async ({ me }) => {
    const browser = makeBrowser(api.url);
    if (me) await browser.gql(login('somebody', PASSWORD));
    const ask = async (call: number) => {
      // A user counts as one from any address.
      const address = me ? `192.0.2.${call % 250}` : '192.0.2.9';
      const headers = { 'x-forwarded-for': address, ...(browser.cookie && { cookie: browser.cookie }) };
      const answer = await fetch(`${both[call % 2]?.url}/api/subscription/plans`, { headers });
      if (answer.status === 429) {
        expect(await answer.json()).toMatchObject({ code: 'RATE_LIMITED' });
        const seconds = Number(answer.headers.get('retry-after'));
        expect(seconds).toBeGreaterThan(0);
        expect(seconds).toBeLessThanOrEqual(60);
      }
      return answer.status;
    };
    const statuses: number[] = [];
    for (let call = 0; call < 160; call += 16)
      statuses.push(...(await Promise.all(Array.from({ length: 16 }, (_, index) => ask(call + index)))));
    for (let call = 0; call < 20; call += 1) statuses.push(await ask(call));
    expect(count(statuses, 200) + count(statuses, 429)).toBe(180);
    expect(count(statuses, 200)).toBeLessThanOrEqual(100);
    expect(count(statuses, 200)).toBeGreaterThanOrEqual(95);
    // Another client is not affected.
    expect(
      (await fetch(`${both[0]?.url}/api/subscription/plans`, { headers: { 'x-forwarded-for': '192.0.2.251' } })).status,
    ).toBe(200);
  });
});

it('while the database is unavailable or read-only each process counts requests by itself, and refuses logins', async () => {
  const proxy = await makeTcpProxy(api.db.url);
  const readOnly = new URL(api.db.url);
  readOnly.searchParams.set('options', '-c default_transaction_read_only=on');
  for (const url of [proxy.url, readOnly.href]) {
    const pool = makePool(url, 1);
    const limits = makeRateLimits(pool, readSettings({ RATE_REQUESTS_PER_USER: '3' }).rateLimits);
    for (let call = 0; call < 3; call += 1) await limits.request(7, '192.0.2.1');
    await expect(limits.request(7, '192.0.2.1')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    await limits.request(8, '192.0.2.1');
    await pool.end();
  }
  const away = makePool(proxy.url, 1);
  await expect(makeRateLimits(away, readSettings({}).rateLimits).login('somebody', '192.0.2.1', null)).rejects.toThrow(
    'ECONNREFUSED',
  );
  await away.end();
});
