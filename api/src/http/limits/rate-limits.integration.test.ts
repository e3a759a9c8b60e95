import { beforeEach, describe, expect, it } from 'vitest';
import { makeBrowser } from '../../../test/browser.ts';
import { makeTestApi, setUpApi, type TestApi } from '../../../test/make-app.ts';
import { readSettings } from '../../base/settings/settings.ts';
import { makeRateLimits } from './rate-limits.ts';

const api = setUpApi();
beforeEach(() => api.db.pool.query('truncate rate_limits'));

const TOKEN = 'a-push-token';
const json = { 'content-type': 'application/json' };

/** The statuses of requests with these X-Forwarded-For headers. */
async function statusesOf({ url }: TestApi, forwardedFor: readonly string[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const forwarded of forwardedFor) {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { ...json, 'x-forwarded-for': forwarded },
      body: '{"query":"{ me { id } }"}',
    });
    statuses.push(response.status);
  }
  return statuses;
}

describe('rate limits', () => {
  const login = 'mutation ($u: String!) { login(username: $u, password: "wrong-1") { id } }';
  const limitedApi = (env: Record<string, string>) => makeTestApi({ db: api.db, env: { RATE_LIMITS: 'on', ...env } });

  it('limit the logins of an account, whatever the case of its name, with Retry-After', async () => {
    const limited = await limitedApi({ RATE_LOGINS_PER_ACCOUNT: '2' });
    const browser = makeBrowser(limited.url);
    await browser.gql(login, { u: 'target' });
    await browser.gql(login, { u: 'TARGET ' });
    const refused = await browser.gql(login, { u: 'Target' });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(800);
    expect(refused.errors[0]?.extensions.code).toBe('RATE_LIMITED');
    expect((await browser.gql(login, { u: 'somebody-else' })).errors[0]?.extensions.code).toBe('UNAUTHENTICATED');
    await limited.close();
    const restarted = await limitedApi({ RATE_LOGINS_PER_ACCOUNT: '2' });
    expect((await makeBrowser(restarted.url).gql(login, { u: 'target' })).status).toBe(429);
    await restarted.close();
    const open = await makeTestApi({ db: api.db });
    expect((await makeBrowser(open.url).gql(login, { u: 'target' })).errors[0]?.extensions.code).toBe(
      'UNAUTHENTICATED',
    );
    await open.close();
  });

  it('limit the logins and registrations of a network', async () => {
    const limited = await limitedApi({ RATE_LOGINS_PER_ADDRESS: '1', RATE_REGISTRATIONS_PER_ADDRESS: '1' });
    const browser = makeBrowser(limited.url);
    await browser.gql(login, { u: 'one' });
    expect((await browser.gql(login, { u: 'two' })).status).toBe(429);
    await browser.register('first-here');
    await expect(makeBrowser(limited.url).register('second-here')).rejects.toThrow('Too many tries');
    await limited.close();
  });

  it('limit the requests of a user, separately from others behind the same address', async () => {
    const limited = await limitedApi({ RATE_REQUESTS_PER_USER: '3' });
    const [first, second] = [makeBrowser(limited.url), makeBrowser(limited.url)];
    await first.register('caller-1');
    await second.register('caller-2');
    for (let call = 0; call < 3; call += 1) expect((await first.gql('{ me { id } }')).status).toBe(200);
    const refused = await first.gql('{ me { id } }');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await second.gql('{ me { id } }')).status).toBe(200);
    await limited.close();
  });

  it('limit the links in mails that a network opens, to ten times as many as requests, and answer with a page', async () => {
    const { url, close } = await makeTestApi({ db: api.db, env: { RATE_LIMITS: 'on', RATE_REQUESTS_PER_USER: '3' } });
    const open = () => Promise.all(Array.from({ length: 10 }, () => fetch(`${url}/m/broken`)));
    const statuses = (await Promise.all([open(), open(), open()])).flat().map(({ status }) => status);
    expect(statuses).toEqual(statuses.map(() => 400));
    for (const method of ['GET', 'POST']) {
      const refused = await fetch(`${url}/confirm-email/broken`, { method });
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await refused.text()).toContain('Too many tries.');
    }
    await close();
  });

  it('ignore X-Forwarded-For without trusted proxies', async () => {
    const limited = await makeTestApi({ db: api.db, env: { RATE_LIMITS: 'on', RATE_REQUESTS_PER_USER: '2' } });
    expect(await statusesOf(limited, ['1.1.1.1', '2.2.2.2', '3.3.3.3'])).toEqual([200, 200, 429]);
    await limited.close();
  });

  it('count visitors separately behind the trusted proxies, and ignore earlier entries', async () => {
    const limited = await makeTestApi({
      db: api.db,
      env: { RATE_LIMITS: 'on', RATE_REQUESTS_PER_USER: '1', TRUSTED_PROXIES: '1' },
    });
    expect(await statusesOf(limited, ['1.1.1.1', '2.2.2.2', '9.9.9.9, 2.2.2.2'])).toEqual([200, 200, 429]);
    const ofOneNetwork = ['2001:db8:1:2::1', '2001:DB8:1:2:ffff::2'];
    expect(await statusesOf(limited, [...ofOneNetwork, '2001:db8:1:3::1', '::ffff:1.1.1.1'])).toEqual([
      200, 429, 200, 429,
    ]);
    await limited.close();
  });

  it('don’t count pushed listings', async () => {
    const limited = await makeTestApi({
      db: api.db,
      env: { RATE_LIMITS: 'on', RATE_REQUESTS_PER_USER: '1', INGEST_TOKEN: TOKEN },
    });
    for (let call = 0; call < 3; call += 1) {
      const response = await fetch(`${limited.url}/api/ingest/dealer`, {
        method: 'POST',
        headers: { ...json, authorization: `Bearer ${TOKEN}` },
        body: '[]',
      });
      expect(response.status).toBe(200);
    }
    await limited.close();
  });

  it('are found by user when an account is erased, except those of networks and devices', async () => {
    const { pool } = api.db;
    const limits = makeRateLimits(pool, readSettings({ RATE_LIMITS: 'on' }).rateLimits);
    const user = { id: 77, username: 'Leaver', email: 'Leaver@example.test' };
    await limits.login(' leaver', '1.1.1.1', null);
    await limits.login('LEAVER', '1.1.1.1', 'a-device');
    await limits.passwordReset('leaver@example.test ', '1.1.1.1');
    await limits.ownPassword(user.id, '1.1.1.1');
    await limits.mailOnDemand(user.id);
    await limits.resend(user.id);
    await limits.explanation(user.id);
    await limits.preview(user.id);
    await limits.contactMessage(user.id, '1.1.1.1');
    await limits.listExport(user.id);
    await limits.dataExport(user.id);
    const { rows } = await pool.query<{ key: string }>(
      `delete from rate_limits where key = any ($1) returning split_part(key, ':', 1) as key`,
      [limits.keysOf(user)],
    );
    expect(rows.map(({ key }) => key).sort()).toEqual([
      'contact-user',
      'explain-user',
      'export-user',
      'list-export-user',
      'login-account',
      'login-devices',
      'mail-user',
      'password-user',
      'preview-user',
      'resend-user',
      'reset-target',
    ]);
    const { rows: left } = await pool.query<{ key: string }>('select key from rate_limits order by key');
    expect(left.map(({ key }) => key)).toEqual([
      'contact-address:1.1.1.1',
      'login-address:1.1.1.1',
      expect.stringMatching(/^login-device:[\w-]{43}:a-device$/),
      'login-devices-address:1.1.1.1',
      expect.stringMatching(/^login-here:[\w-]{43}:[\w-]{43}$/),
      'reset-address:1.1.1.1',
      expect.stringMatching(/^reset-caller:[\w-]{43}$/),
    ]);
  });
});
