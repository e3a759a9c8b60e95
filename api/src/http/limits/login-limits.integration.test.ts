import { beforeEach, describe, expect, it } from 'vitest';
import { type Browser, makeBrowser } from '../../../test/browser.ts';
import { ADMIN_PASSWORD, setUpApi } from '../../../test/make-app.ts';
import { deleteLoginCounters } from './limit-keys.ts';

const PASSWORD = 'secret-1';
const api = setUpApi({ env: { RATE_LIMITS: 'on', TRUSTED_PROXIES: '1', RATE_REGISTRATIONS_PER_ADDRESS: '1000' } });
beforeEach(() => api.db.pool.query('truncate rate_limits'));

const login = 'mutation ($u: String!, $p: String!) { login(username: $u, password: $p) { id } }';

/** Logs in; returns the code of the error, or OK. */
async function tryLogin(browser: Browser, username: string, password: string, from: string): Promise<unknown> {
  const { errors, status, headers } = await browser.gql(
    login,
    { u: username, p: password },
    { 'x-forwarded-for': from },
  );
  const code = errors[0]?.extensions.code ?? 'OK';
  if (code === 'RATE_LIMITED') {
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  }
  return code;
}

async function tryOften(times: number, username: string, from: (call: number) => string, browser?: Browser) {
  const codes: unknown[] = [];
  for (let call = 0; call < times; call += 1)
    codes.push(await tryLogin(browser ?? makeBrowser(api.url), username, 'wrong-1', from(call)));
  return codes;
}

const wrong = (times: number) => Array.from({ length: times }, () => 'UNAUTHENTICATED');
const refused = (times: number) => Array.from({ length: times }, () => 'RATE_LIMITED');
const attacker = () => '198.51.100.1';
const HOME = '192.0.2.1';

/** Makes a device that was signed in, and is signed out now. */
async function deviceOf(username: string): Promise<Browser> {
  const { browser: device } = await api.user(username);
  await device.gql('mutation { logout }');
  return device;
}

describe('login limits', () => {
  it('allow ten tries for an account from one network, and lock nobody out on another', async () => {
    await deviceOf('owner');
    expect(await tryOften(12, 'owner', attacker)).toEqual([...wrong(10), ...refused(2)]);
    expect(await tryLogin(makeBrowser(api.url), 'owner', PASSWORD, attacker())).toBe('RATE_LIMITED');
    expect(await tryLogin(makeBrowser(api.url), ' Owner', PASSWORD, HOME)).toBe('OK');
  });

  it('count an IPv6 /64 together, and IPv4-mapped IPv6 as IPv4', async () => {
    const codes = await tryOften(12, 'target-6', (call) => `2001:db8:1:2:${call}::${call}`);
    expect(codes).toEqual([...wrong(10), ...refused(2)]);
    expect(await tryOften(1, 'target-6', () => '2001:db8:1:3::1')).toEqual(wrong(1));
    const mapped = await tryOften(12, 'target-4', (call) => (call % 2 ? HOME : `::ffff:${HOME}`));
    expect(mapped).toEqual([...wrong(10), ...refused(2)]);
  });

  it('don’t lock the admin out on other networks either', async () => {
    expect(await tryOften(11, 'admin', attacker)).toEqual([...wrong(10), ...refused(1)]);
    expect(await tryLogin(makeBrowser(api.url), 'admin', ADMIN_PASSWORD, HOME)).toBe('OK');
  });

  it('allow fifty tries for an account from all networks, which don’t lock a known device out', {
    tags: 'long',
  }, async () => {
    const device = await deviceOf('famous');
    const from = (call: number) => `198.51.${call}.1`;
    expect(await tryOften(53, 'famous', from)).toEqual([...wrong(50), ...refused(3)]);
    expect(await tryLogin(makeBrowser(api.url), 'famous', PASSWORD, HOME)).toBe('RATE_LIMITED');
    expect(await tryLogin(device, 'FAMOUS', PASSWORD, HOME)).toBe('OK');
    expect(await tryLogin(device, 'famous', PASSWORD, from(1))).toBe('OK');
    expect(await tryLogin(makeBrowser(api.url), 'somebody-else', PASSWORD, HOME)).toBe('UNAUTHENTICATED');
  });

  it('don’t lock a known device out after tries of others in its network', { tags: 'long' }, async () => {
    const device = await deviceOf('in-the-office');
    expect(await tryOften(11, 'in-the-office', () => HOME)).toEqual([...wrong(10), ...refused(1)]);
    for (let name = 0; name < 9; name += 1) await tryOften(10, `colleague-${name}`, () => HOME);
    expect(await tryLogin(makeBrowser(api.url), 'colleague-9', PASSWORD, HOME)).toBe('RATE_LIMITED');
    expect(await tryLogin(device, 'in-the-office', PASSWORD, HOME)).toBe('OK');
  });

  it('allow ten tries on a known device from any network, apart from those of its network', async () => {
    const device = await deviceOf('forgetful');
    expect(await tryOften(12, 'forgetful', (call) => `203.0.113.${call}`, device)).toEqual([
      ...wrong(10),
      ...refused(2),
    ]);
    expect(await tryLogin(device, 'forgetful', PASSWORD, HOME)).toBe('RATE_LIMITED');
    expect(await tryLogin(makeBrowser(api.url), 'forgetful', PASSWORD, HOME)).toBe('OK');
  });

  it('allow ten tries in all when somebody signs in again and again', async () => {
    await deviceOf('busy');
    const browser = makeBrowser(api.url);
    const codes: unknown[] = [];
    for (let call = 0; call < 12; call += 1) codes.push(await tryLogin(browser, 'busy', PASSWORD, HOME));
    expect(codes).toEqual([...Array.from({ length: 10 }, () => 'OK'), ...refused(2)]);
  });

  it('know a device only for the accounts that were signed in on it', async () => {
    const device = await deviceOf('of-the-thief');
    await deviceOf('of-the-victim');
    expect(await tryOften(10, 'of-the-victim', attacker)).toEqual(wrong(10));
    expect(await tryOften(1, 'of-the-victim', attacker, device)).toEqual(refused(1));
    await tryLogin(device, 'of-the-thief', PASSWORD, HOME);
    expect(await tryOften(1, 'of-the-victim', attacker, device)).toEqual(refused(1));
  });

  it('know a device for several accounts', { tags: 'long' }, async () => {
    const device = await deviceOf('mother');
    await device.register('child');
    await device.gql('mutation { logout }');
    for (const name of ['mother', 'child']) {
      await tryOften(10, name, () => HOME);
      expect(await tryLogin(makeBrowser(api.url), name, PASSWORD, HOME)).toBe('RATE_LIMITED');
      expect(await tryLogin(device, name, PASSWORD, HOME)).toBe('OK');
    }
  });

  it('count many devices of an account together, and as unknown devices above that limit', {
    tags: 'long',
  }, async () => {
    await deviceOf('collected');
    const devices: Browser[] = [];
    for (let made = 0; made < 6; made += 1) {
      await api.db.pool.query('truncate rate_limits');
      const device = makeBrowser(api.url);
      expect(await tryLogin(device, 'collected', PASSWORD, HOME)).toBe('OK');
      devices.push(device);
    }
    await api.db.pool.query('truncate rate_limits');
    for (const device of devices.slice(0, 5))
      expect(await tryOften(10, 'collected', attacker, device)).toEqual(wrong(10));
    const last = devices.at(-1);
    expect(await tryOften(9, 'collected', attacker, last)).toEqual(wrong(9));
    expect(await tryOften(3, 'collected', attacker)).toEqual([...wrong(1), ...refused(2)]);
  });

  it('are reset when the admin gets a new password', async () => {
    const device = makeBrowser(api.url);
    await tryLogin(device, 'admin', ADMIN_PASSWORD, HOME);
    await tryOften(11, 'admin', () => HOME, device);
    await tryOften(60, 'admin', (call) => `198.51.${call}.1`);
    await tryOften(10, 'bystander', () => HOME);
    expect(await tryLogin(device, 'admin', ADMIN_PASSWORD, HOME)).toBe('RATE_LIMITED');
    expect(await tryLogin(makeBrowser(api.url), 'admin', ADMIN_PASSWORD, HOME)).toBe('RATE_LIMITED');
    await deleteLoginCounters(api.db.pool, { id: 1, username: 'Admin' });
    expect(await tryLogin(device, 'admin', ADMIN_PASSWORD, HOME)).toBe('OK');
    expect(await tryLogin(makeBrowser(api.url), 'admin', ADMIN_PASSWORD, HOME)).toBe('OK');
    expect(await tryLogin(makeBrowser(api.url), 'bystander', PASSWORD, HOME)).toBe('RATE_LIMITED');
  });
});

describe('the cookie of a device', () => {
  it('follows the session’s cookie, is for this host only, lasts a year and names nobody', async () => {
    const answer = await fetch(`${api.url}/api/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'plain-name', password: PASSWORD, email: 'plain-name@example.test' }),
    });
    const [session, device, ...more] = answer.headers.getSetCookie();
    expect(more).toEqual([]);
    expect(session).toMatch(/^lotwatch_session=/);
    expect(device).toMatch(
      /^lotwatch_device=[\w-]{38}; Max-Age=31536000; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
    );
    expect(Buffer.from(device?.slice(16, 54) ?? '', 'base64url').toString('latin1')).not.toContain('plain-name');
    const read = await fetch(`${api.url}/api/user`, { headers: { cookie: session?.split(';')[0] ?? '' } });
    expect(read.headers.getSetCookie()).toHaveLength(1);
  });

  it('is ignored when it is forged, truncated or signed with another key', async () => {
    const device = await deviceOf('target');
    const good = device.device ?? '';
    await tryOften(10, 'target', () => HOME);
    const [name, mark = ''] = good.split('=');
    for (const value of [
      '',
      mark.slice(0, -1),
      `${mark}.`,
      `${mark.slice(0, 16)}${'A'.repeat(22)}`,
      `${'A'.repeat(16)}${mark.slice(16)}`,
      `${mark}${mark}`,
      Array.from({ length: 9 }, () => mark).join('.'),
      '%E0%A4%A',
      'x'.repeat(10_000),
    ]) {
      device.device = `${name}=${value}`;
      expect([value.slice(0, 60), await tryLogin(device, 'target', PASSWORD, HOME)]).toEqual([
        value.slice(0, 60),
        'RATE_LIMITED',
      ]);
    }
    device.device = `other=1; ${good}; another=2`;
    expect(await tryLogin(device, 'target', PASSWORD, HOME)).toBe('OK');
  });
});
