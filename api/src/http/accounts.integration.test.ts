import { describe, expect, it } from 'vitest';
import { makeBrowser } from '../../test/browser.ts';
import { makeTestApi, setUpApi } from '../../test/make-app.ts';

const api = setUpApi();

const me = '{ me { id username email phone emailConfirmed phoneConfirmed timeZone } }';
const login = 'mutation ($u: String!, $p: String!) { login(username: $u, password: $p) { id username } }';
const register = 'mutation ($input: RegisterInput!) { register(input: $input) { id username } }';

describe('an account', () => {
  it('registers, signs in, signs out, and signs in again in another case', async () => {
    const browser = makeBrowser(api.url);
    expect((await browser.gql(me)).data).toEqual({ me: null });
    const id = await browser.register(' Ana ', {
      email: 'ana@example.test',
      phone: '(212) 555-0100',
      timeZone: 'Europe/Rome',
    });
    expect((await browser.gql(me)).data.me).toEqual({
      id: String(id),
      username: 'Ana',
      email: 'ana@example.test',
      phone: '(212) 555-0100',
      emailConfirmed: false,
      phoneConfirmed: false,
      timeZone: 'Europe/Rome',
    });
    expect((await browser.gql('mutation { logout }')).data).toEqual({ logout: true });
    expect((await browser.gql(me)).data).toEqual({ me: null });
    expect((await browser.gql(login, { u: ' aNA', p: 'secret-1' })).data.login).toEqual({
      id: String(id),
      username: 'Ana',
    });
    expect((await browser.gql(me)).data.me.id).toBe(String(id));
  });

  it('stores only an Argon2id hash of the password', async () => {
    await makeBrowser(api.url).register('hashed');
    const row = await api.db.row("select password_hash from users where username = 'hashed'");
    expect(row.password_hash).toMatch(/^\$argon2id\$v=19\$/);
  });

  it('gets the same answer for a wrong password as for an unknown name', async () => {
    await makeBrowser(api.url).register('known');
    for (const u of ['known', 'nobody', 'nul\0nul']) {
      const answer = await makeBrowser(api.url).gql(login, { u, p: 'wrong-password' });
      expect(answer.errors[0]).toMatchObject({
        message: 'Invalid username or password',
        extensions: { code: 'UNAUTHENTICATED' },
      });
    }
  });

  it('is refused when its name is taken, in any case', async () => {
    await makeBrowser(api.url).register('taken');
    const answer = await makeBrowser(api.url).gql(register, {
      input: { username: 'TAKEN ', password: 'secret-1', email: 'x@example.test' },
    });
    expect(answer.errors[0]).toMatchObject({ message: 'Username already exists', extensions: { code: 'CONFLICT' } });
  });

  it.each([
    [{ username: ' ', password: 'secret-1', phone: '1' }, { username: 'Username is required' }],
    [
      { username: 'a'.repeat(41), password: 'secret-1', phone: '1' },
      { username: 'Username can have at most 40 characters' },
    ],
    [{ username: 'a\u0000b', password: 'secret-1', phone: '1' }, { username: 'Username must be plain text' }],
    [{ username: 'ad\u200bmin', password: 'secret-1', phone: '1' }, { username: 'Username must be plain text' }],
    [{ username: 'v', password: '12345', phone: '1' }, { password: 'Password must be at least 6 characters' }],
    [{ username: 'v', password: 'secret-1', email: 'a@b' }, { email: 'Please enter a valid email' }],
    [
      { username: 'v', password: 'secret-1', email: '' },
      { email: 'Either email or phone is required for notifications' },
    ],
  ])('is refused with the messages of the form: %j', async (input, fields) => {
    const answer = await makeBrowser(api.url).gql(register, { input });
    expect(answer.errors[0]?.extensions).toEqual({ code: 'VALIDATION', message: Object.values(fields)[0], fields });
  });

  it('needs both fields at login', async () => {
    const answer = await makeBrowser(api.url).gql(login, { u: '', p: '' });
    expect(answer.errors[0]?.extensions.fields).toEqual({
      username: 'Username is required',
      password: 'Password is required',
    });
  });
});

describe('a session', () => {
  it('is a cookie for 30 days that scripts and other sites can’t read', async () => {
    const { browser } = await api.user('cookie');
    expect(browser.lastSetCookie).toMatch(/^lotwatch_session=.*; Path=\/; Expires=.*; HttpOnly; SameSite=Lax$/);
    const expires = /Expires=([^;]+)/.exec(browser.lastSetCookie ?? '')?.[1] ?? '';
    expect(new Date(expires).getTime() - Date.now()).toBeGreaterThan(29.9 * 86_400_000);
    const rows = await api.db.rows("select expire - now() > interval '29 days' as long from session");
    expect(rows.every((row) => row.long)).toBe(true);
  });

  it('gets a new id at each sign-in, and the old one is void', async () => {
    const { browser } = await api.user('fixed');
    const first = browser.cookie;
    await browser.gql(login, { u: 'fixed', p: 'secret-1' });
    expect(browser.cookie).not.toBe(first);
    const thief = makeBrowser(api.url);
    thief.cookie = first;
    expect((await thief.gql(me)).data).toEqual({ me: null });
  });

  it('does not use an id that the client chose', async () => {
    const browser = makeBrowser(api.url);
    browser.cookie = 'lotwatch_session=s%3Achosen.signature';
    await browser.register('chosen');
    expect(browser.cookie).not.toContain('chosen.');
  });

  it('is deleted from the database at logout, and its cookie is cleared', async () => {
    const { browser, id } = await api.user('leaver');
    const kept = browser.cookie;
    await browser.gql('mutation { logout }');
    expect(browser.cookie).toBeUndefined();
    expect(await api.db.rows("select 1 from session where sess ->> 'userId' = $1", [String(id)])).toEqual([]);
    browser.cookie = kept;
    expect((await browser.gql(me)).data).toEqual({ me: null });
  });

  it('is extended at most hourly, with the time at which its user was last seen', async () => {
    const { browser, id } = await api.user('seen');
    await api.db.pool.query(
      "insert into user_activity (user_id, last_seen_at) values ($1, now() - interval '2 hours')",
      [id],
    );
    await api.db.pool.query("update session set expire = now() + interval '1 day' where sess ->> 'userId' = $1", [
      String(id),
    ]);
    await browser.gql(me);
    await expect
      .poll(async () => {
        return (
          await api.db.row(
            `select a.last_seen_at > now() - interval '1 minute' and s.expire > now() + interval '29 days' as fresh
           from user_activity a join session s on s.sess ->> 'userId' = a.user_id::text where a.user_id = $1`,
            [id],
          )
        )?.fresh;
      })
      .toBe(true);
  });

  it('has a Secure cookie for this host only when the public address is https', async () => {
    const env = { PUBLIC_URL: 'https://lotwatch.example', TRUSTED_PROXIES: 'none' };
    const secure = await makeTestApi({ db: api.db, env });
    const browser = makeBrowser(secure.url, 'https://lotwatch.example');
    await browser.register('secure');
    expect(browser.lastSetCookie).toMatch(
      /^__Host-lotwatch_session=[^;]+; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(browser.device).toMatch(/^__Host-lotwatch_device=/);
    expect((await browser.gql(me)).data.me.username).toBe('secure');
    const { cookie = '' } = browser;
    const unprefixed = await fetch(`${secure.url}/api/user`, { headers: { cookie: cookie.replace('__Host-', '') } });
    expect(unprefixed.status).toBe(401);
    await browser.gql('mutation { logout }');
    // Browsers ignore a cookie of this name that isn't Secure, even when it clears the cookie.
    expect(browser.lastSetCookie).toMatch(
      /^__Host-lotwatch_session=; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/,
    );
    await secure.close();
  });
});
