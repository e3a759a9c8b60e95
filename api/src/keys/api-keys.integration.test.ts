import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Browser } from '../../test/browser.ts';
import { createKey, type KeyHolder, makeDealer, makeKey, makeKeyHolder, setPlan } from '../../test/keys/key-holder.ts';
import { setUpApi } from '../../test/make-app.ts';
import { purge } from '../../test/until-done.ts';

let dealer: { browser: Browser; userId: number };
const api = setUpApi({}, async () => {
  dealer = await makeDealer(api, 'dealer');
});

const list = '{ apiKeys { id name prefix scopes state lastUsedAt expiresAt revokedAt } }';
const rotate =
  'mutation ($id: ID!, $hours: Int) { rotateApiKey(id: $id, overlapHours: $hours) { apiKey { id name scopes } secret } }';
const codeOf = ({ errors }: { errors: { extensions: Record<string, unknown> }[] }) => errors[0]?.extensions.code;
const statusOf = async (holder: KeyHolder) => (await holder.fetch('/api/user')).status;
const holderOf = (made: { apiKey: { id: string }; secret: string }) =>
  makeKeyHolder(api.url, { id: made.apiKey.id, secret: made.secret });

describe('a new key', () => {
  it.each<[string, Record<string, unknown>, Record<string, string>]>([
    ['no name', { name: '  ', scopes: ['read'] }, { name: 'Please give the key a name' }],
    ['a long name', { name: 'x'.repeat(61), scopes: ['read'] }, { name: 'Name can have at most 60 characters' }],
    ['an unseen name', { name: 'a\u202eb', scopes: ['read'] }, { name: 'Name must be plain text' }],
    ['no scope', { name: 'x', scopes: [] }, { scopes: 'Please choose what the key may do' }],
  ])('with %s is refused', async (_what, variables, fields) => {
    const answer = await dealer.browser.gql(createKey, variables);
    expect([codeOf(answer), answer.errors[0]?.extensions.fields]).toEqual(['VALIDATION', fields]);
  });

  it('is listed by its prefix, with all scopes: writing includes reading', async () => {
    const { data } = await dealer.browser.gql(createKey, { name: ' Sync ', scopes: ['write', 'write'] });
    const { apiKey, secret } = data.createApiKey;
    expect(apiKey).toMatchObject({ name: 'Sync', scopes: ['read', 'write'], state: 'active' });
    expect(secret.startsWith(apiKey.prefix)).toBe(true);
    const { data: listed } = await dealer.browser.gql(list);
    expect(listed.apiKeys[0]).toMatchObject({ id: apiKey.id, prefix: apiKey.prefix, lastUsedAt: null });
  });

  it('is one of 20 at most, also after parallel creates', async () => {
    const { browser, userId } = await makeDealer(api, 'collector');
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => browser.gql(createKey, { name: `Key ${index}`, scopes: ['read'] })),
    );
    expect(answers.filter(({ errors }) => errors.length === 0)).toHaveLength(20);
    expect(new Set(answers.filter(({ errors }) => errors.length > 0).map(codeOf))).toEqual(new Set(['CONFLICT']));
    const [first] = (await browser.gql(list)).data.apiKeys;
    await browser.gql(`mutation { revokeApiKey(id: "${first.id}") }`);
    expect(codeOf(await browser.gql(createKey, { name: 'Room again', scopes: ['read'] }))).toBeUndefined();
    const rows = await api.db.rows('select prefix from api_keys where user_id = $1', [userId]);
    expect(new Set(rows.map(({ prefix }) => prefix)).size).toBe(21);
  });

  it('can replace each of the 20, so that at most 40 work', async () => {
    const { browser, userId } = await makeDealer(api, 'rotator');
    const ids: string[] = [];
    for (let made = 0; made < 20; made += 1) ids.push((await makeKey(api, browser)).id);
    const replaced: Awaited<ReturnType<typeof browser.gql>>[] = [];
    for (const id of ids) replaced.push(await browser.gql(rotate, { id, hours: 1 }));
    expect(replaced.map(codeOf)).toEqual(ids.map(() => undefined));
    const [newest] = replaced.map(({ data }) => data.rotateApiKey.apiKey.id);
    expect(codeOf(await browser.gql(rotate, { id: newest, hours: 1 }))).toBe('CONFLICT');
    expect(codeOf(await browser.gql(createKey, { name: 'x', scopes: ['read'] }))).toBe('CONFLICT');
    expect(codeOf(await browser.gql(rotate, { id: newest, hours: 0 }))).toBeUndefined();
    const living = 'select from api_keys where user_id = $1 and coalesce(expires_at > now(), true)';
    expect((await api.db.pool.query(living, [userId])).rowCount).toBe(40);
  });

  it('is listed as long as it works, even after many later ones have ended', async () => {
    const { browser, userId } = await makeDealer(api, 'hoarder');
    const held = await makeKey(api, browser);
    await api.db.pool.query(
      `insert into api_keys (user_id, name, prefix, secret_hash, scopes, revoked_at)
       select $1, 'ended', 'ended ' || n, '', '{read}', now() from generate_series(1, 300) n`,
      [userId],
    );
    const { apiKeys } = (await browser.gql(list)).data;
    expect([apiKeys.length, apiKeys.at(-1).id]).toEqual([100, held.id]);
  });

  it('needs Elite, as does the list; revoking does not', async () => {
    const { browser, userId } = await makeDealer(api, 'leaver');
    const held = await makeKey(api, browser);
    await setPlan(api, userId, 3);
    for (const operation of [list, '{ apiUsage { ok } }', `mutation { rotateApiKey(id: "${held.id}") { secret } }`]) {
      expect(codeOf(await browser.gql(operation))).toBe('PLAN_REQUIRED');
    }
    expect((await browser.gql(`mutation { revokeApiKey(id: "${held.id}") }`)).data.revokeApiKey).toBe(held.id);
    await setPlan(api, userId, 4);
    expect(await statusOf(held)).toBe(401);
  });
});

describe('a rotated key', () => {
  it('has the old name and scopes, and both work during the overlap', async () => {
    const old = await makeKey(api, dealer.browser, ['read']);
    const { data } = await dealer.browser.gql(rotate, { id: old.id, hours: null });
    const made = holderOf(data.rotateApiKey);
    expect(data.rotateApiKey.apiKey).toMatchObject({ name: 'A key', scopes: ['read'] });
    expect([await statusOf(old), await statusOf(made)]).toEqual([200, 200]);
    const keyOf = async () =>
      (await dealer.browser.gql(list)).data.apiKeys.find(({ id }: { id: string }) => id === old.id);
    const left = Date.parse((await keyOf()).expiresAt) - Date.now();
    expect(left).toBeGreaterThan(23.9 * 3_600_000);
    expect(left).toBeLessThanOrEqual(24 * 3_600_000);
    expect((await keyOf()).state).toBe('replaced');
    expect(codeOf(await dealer.browser.gql(rotate, { id: old.id }))).toBe('CONFLICT');
    await api.db.pool.query('update api_keys set expires_at = now() where id = $1', [old.id]);
    expect([await statusOf(old), await statusOf(made)]).toEqual([401, 200]);
    expect((await keyOf()).state).toBe('expired');
  });

  it('replaces the old one at once without an overlap; an invalid overlap is refused', async () => {
    const old = await makeKey(api, dealer.browser);
    for (const hours of [-1, 169])
      expect(codeOf(await dealer.browser.gql(rotate, { id: old.id, hours }))).toBe('VALIDATION');
    const { data } = await dealer.browser.gql(rotate, { id: old.id, hours: 0 });
    expect([await statusOf(old), await statusOf(holderOf(data.rotateApiKey))]).toEqual([401, 200]);
    await dealer.browser.gql(`mutation { revokeApiKey(id: "${old.id}") }`);
    expect(codeOf(await dealer.browser.gql(rotate, { id: old.id, hours: 0 }))).toBe('CONFLICT');
  });
});

describe('the usage of a key', () => {
  it('is recorded once a minute, and counted by the hour for the chart', async () => {
    const { browser, userId } = await makeDealer(api, 'busy');
    const held = await makeKey(api, browser);
    const writes = async () =>
      await api.db.row('select xmin::text, last_used_at from api_keys where id = $1', [held.id]);
    for (let call = 0; call < 3; call += 1) await held.fetch('/api/user');
    expect((await writes()).last_used_at).toBeNull();
    await api.db.pool.query('delete from user_activity');
    await api.keys.flushUsage();
    const first = await writes();
    expect(Date.now() - first.last_used_at.getTime()).toBeLessThan(10_000);
    const { at } = await api.db.row('select last_seen_at as at from user_activity where user_id = $1', [userId]);
    expect(Date.now() - at.getTime()).toBeLessThan(10_000);
    await held.fetch('/api/user');
    await api.keys.flushUsage();
    expect(await writes()).toEqual(first);
    await setPlan(api, userId, 1);
    await held.fetch('/api/user');
    await setPlan(api, userId, 4);
    await api.keys.flushUsage();
    const { data } = await browser.gql('{ apiUsage { hour ok refused } }');
    expect(data.apiUsage).toHaveLength(168);
    const sum = (field: 'ok' | 'refused') =>
      data.apiUsage.reduce((total: number, one: Record<string, number>) => total + (one[field] ?? 0), 0);
    expect([sum('ok'), sum('refused')]).toEqual([4, 1]);
    const newest = Date.parse(data.apiUsage.at(-1).hour);
    expect([newest % 3_600_000, Date.now() - newest < 3_600_000]).toEqual([0, true]);
  });

  it('leaves no row for a deleted account', async () => {
    const { browser, userId } = await makeDealer(api, 'gone');
    const held = await makeKey(api, browser);
    await held.fetch('/api/user');
    for (const table of ['session', 'api_keys', 'users']) {
      const theirs = {
        session: "sess ->> 'userId' = $1::text",
        api_keys: 'user_id = $1::int8',
        users: 'id = $1::int8',
      };
      await api.db.pool.query(`delete from ${table} where ${theirs[table as keyof typeof theirs]}`, [String(userId)]);
    }
    expect(await statusOf(held)).toBe(401);
    await api.keys.flushUsage();
    expect((await api.db.pool.query('select from api_usage where user_id = $1', [userId])).rowCount).toBe(0);
  });
});

it('purges keys 30 days after their end, and counts after 8', async () => {
  const held = await makeKey(api, dealer.browser);
  const fresh = await makeKey(api, dealer.browser);
  await api.db.pool.query("update api_keys set revoked_at = now() - interval '31 days' where id = $1", [held.id]);
  await api.db.pool.query("update api_keys set revoked_at = now() - interval '29 days' where id = $1", [fresh.id]);
  await api.db.pool.query(
    "insert into api_usage (user_id, hour, ok) values ($1, now() - interval '9 days', 1), ($1, now() - interval '7 days', 1)",
    [dealer.userId],
  );
  await purge(api.db.pool, 'api-keys');
  await purge(api.db.pool, 'api-usage');
  const rows = await api.db.rows('select id from api_keys where id = any ($1)', [[held.id, fresh.id]]);
  expect(rows.map(({ id }) => String(id))).toEqual([fresh.id]);
  await sleep(0);
  const usage = await api.db.pool.query("select from api_usage where hour < now() - interval '6 days'");
  expect(usage.rowCount).toBe(1);
});
