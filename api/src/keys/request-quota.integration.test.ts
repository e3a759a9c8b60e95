import { beforeEach, describe, expect, it } from 'vitest';
import type { Browser } from '../../test/browser.ts';
import { type KeyHolder, makeDealer, makeKey, makeKeyHolder } from '../../test/keys/key-holder.ts';
import { makeTestApi, setUpApi } from '../../test/make-app.ts';
import { silentLog } from '../base/log.ts';
import { makeRequestQuota } from './request-quota.ts';

let dealer: { browser: Browser; userId: number };
let key: KeyHolder;
const api = setUpApi({}, async () => {
  dealer = await makeDealer(api, 'dealer');
  key = await makeKey(api, dealer.browser);
});
beforeEach(async () => {
  await api.db.pool.query("update api_allowances set window_ends_at = now(), used = 0, running = '{}'");
});

const limited = (perHour: number, atOnce: number) =>
  makeTestApi({
    db: api.db,
    env: {
      RATE_LIMITS: 'on',
      RATE_KEY_REQUESTS_PER_HOUR: String(perHour),
      RATE_KEY_REQUESTS_AT_ONCE: String(atOnce),
      RATE_REQUESTS_PER_USER: '1',
    },
  });
const headerOf = (answer: Response, name: string) => answer.headers.get(`ratelimit-${name}`);
const used = async () => (await api.db.row('select used from api_allowances where user_id = $1', [dealer.userId])).used;
const running = async () => {
  return (
    await api.db.row('select cardinality(running) as count from api_allowances where user_id = $1', [dealer.userId])
  ).count;
};
const quotaOf = (perHour: number, atOnce: number, more: { renewEveryMs?: number } = {}) =>
  makeRequestQuota({ pool: api.db.pool, log: silentLog, quota: { on: true, perHour, atOnce }, ...more });
const keyNumber = () => ({ id: Number(key.id), userId: dealer.userId, scopes: [] });

describe('the hourly quota', () => {
  it('admits the 5,000th request and refuses the 5,001st, with its status in every answer', async () => {
    const strict = await limited(5000, 100);
    const holder = makeKeyHolder(strict.url, key);
    const first = await holder.fetch('/api/user');
    expect([headerOf(first, 'limit'), headerOf(first, 'remaining'), headerOf(first, 'policy')]).toEqual([
      ...['5000', '4999', '5000;w=3600'],
    ]);
    expect(Number(headerOf(first, 'reset'))).toBeGreaterThan(3595);
    await api.db.pool.query('update api_allowances set used = 4998');
    const before = await holder.fetch('/api/nothing-here');
    expect([before.status, headerOf(before, 'remaining')]).toEqual([404, '1']);
    const last = await holder.gql('{ me { id } }');
    expect([last.status, last.headers.get('ratelimit-remaining')]).toEqual([200, '0']);
    for (const answer of [await holder.fetch('/api/user'), await holder.fetch('/graphql?query={me{id}}')]) {
      expect([answer.status, headerOf(answer, 'remaining')]).toEqual([429, '0']);
      expect(Number(answer.headers.get('retry-after'))).toBe(Number(headerOf(answer, 'reset')));
      expect(await answer.json()).toMatchObject({ code: 'RATE_LIMITED' });
    }
    expect(await used()).toBe(5000);
    await api.db.pool.query("update api_allowances set window_ends_at = now() + interval '60 seconds'");
    const retryAfter = Number((await holder.fetch('/api/user')).headers.get('retry-after'));
    expect(retryAfter).toBeGreaterThan(30);
    expect(retryAfter).toBeLessThanOrEqual(60);
    await api.db.pool.query('update api_allowances set window_ends_at = now()');
    expect(headerOf(await holder.fetch('/api/user'), 'remaining')).toBe('4999');
    await strict.close();
  });

  it('is shared by all keys of an account, over two processes, under 200 parallel calls', async () => {
    const [one, two] = [await limited(120, 1000), await limited(120, 1000)];
    const second = await makeKey(api, dealer.browser, ['read']);
    const holders = [one, two].flatMap(({ url }) => [key, second].map((held) => makeKeyHolder(url, held)));
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, call) => holders[call % 4]?.fetch('/api/user') ?? Promise.reject()),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(120);
    expect(statuses.filter((status) => status === 429)).toHaveLength(80);
    const left = answers.filter(({ status }) => status === 200).map((answer) => Number(headerOf(answer, 'remaining')));
    expect(left.sort((a, b) => a - b)).toEqual(Array.from({ length: 120 }, (_, index) => index));
    await Promise.all([one.close(), two.close()]);
  });

  it('is separate from the rate limit of browser sessions', async () => {
    const strict = await limited(50, 100);
    const holder = makeKeyHolder(strict.url, key);
    for (let call = 0; call < 5; call += 1) expect((await holder.fetch('/api/user')).status).toBe(200);
    const cookie = dealer.browser.cookie ?? '';
    const asBrowser = () => fetch(`${strict.url}/api/user`, { headers: { cookie } });
    expect([(await asBrowser()).status, (await asBrowser()).status]).toEqual([200, 429]);
    expect((await holder.fetch('/api/user')).status).toBe(200);
    await strict.close();
  });
});

describe('the concurrent quota', () => {
  it('is exact over two processes, and each answer frees a slot', async () => {
    const quotas = [quotaOf(1000, 10), quotaOf(1000, 10)];
    const admit = (index: number) => quotas[index % 2]?.admit(keyNumber()) ?? Promise.reject();
    const admitted = await Promise.all(Array.from({ length: 40 }, (_, index) => admit(index)));
    const inside = admitted.filter(({ refusal }) => refusal === null);
    expect(inside).toHaveLength(10);
    for (const { refusal } of admitted.filter((one) => one.refusal)) {
      expect(refusal).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 1 });
    }
    expect(await used()).toBe(10);
    inside[0]?.release();
    inside[0]?.release();
    inside[1]?.release();
    await expect.poll(running).toBe(8);
    const again = await Promise.all(Array.from({ length: 8 }, (_, index) => admit(index)));
    expect(again.filter(({ refusal }) => refusal === null)).toHaveLength(2);
    for (const { release } of [...admitted, ...again]) release();
    await Promise.all(quotas.map((quota) => quota.close()));
    const row = await api.db.row('select running from api_allowances where user_id = $1', [dealer.userId]);
    expect(row.running).toEqual([]);
  });

  it('is freed also when the next request has an ended key', async () => {
    const ended = await makeKey(api, dealer.browser);
    await dealer.browser.gql(`mutation { revokeApiKey(id: "${ended.id}") }`);
    const quota = quotaOf(1000, 1);
    const first = await quota.admit(keyNumber());
    first.release();
    expect((await quota.admit({ ...keyNumber(), id: Number(ended.id) })).refusal).toMatchObject({
      code: 'UNAUTHENTICATED',
    });
    expect((await quota.admit(keyNumber())).refusal).toBeNull();
    await quota.close();
  });

  it('counts a long answer as one request until it ends', async () => {
    const quota = quotaOf(1000, 1, { renewEveryMs: 20 });
    const leases = async (): Promise<number[]> => {
      return (await api.db.row('select running from api_allowances where user_id = $1', [dealer.userId])).running.map(
        Number,
      );
    };
    const long = await quota.admit(keyNumber());
    for (let renewed = 0; renewed < 2; renewed += 1) {
      const [before = 0] = await leases();
      await expect.poll(async () => (await leases())[0]).toBeGreaterThan(before);
    }
    expect(await leases()).toHaveLength(1);
    expect((await quota.admit(keyNumber())).refusal).toMatchObject({ code: 'RATE_LIMITED' });
    expect(await used()).toBe(1);
    long.release();
    await expect.poll(leases).toEqual([]);
    await quota.close();
  });

  it('releases the requests of a dead process after a minute', async () => {
    const dead = quotaOf(1000, 1);
    expect((await dead.admit(keyNumber())).refusal).toBeNull();
    const quota = quotaOf(1000, 1);
    expect((await quota.admit(keyNumber())).refusal).not.toBeNull();
    await api.db.pool.query('update api_allowances set running = array[running[1] - 60000000]');
    expect((await quota.admit(keyNumber())).refusal).toBeNull();
  });
});
