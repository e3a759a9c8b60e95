import { beforeEach, describe, expect, it } from 'vitest';
import { type Browser, makeBrowser } from '../../../test/browser.ts';
import { makeTestApi, setUpApi } from '../../../test/make-app.ts';
import { linkExpiry, signToken } from '../../domain/action-links.ts';
import { passwordMark } from '../passwords.ts';

const api = setUpApi();
beforeEach(() => api.db.pool.query('delete from mails'));

const me = '{ me { username emailConfirmed } }';
const change =
  'mutation ($now: String!, $next: String!) { changePassword(currentPassword: $now, newPassword: $next) { message } }';
const request = 'mutation ($email: String!) { requestPasswordReset(email: $email) { message } }';
const reset =
  'mutation ($token: String!, $next: String!) { resetPassword(token: $token, newPassword: $next) { message } }';

let people = 0;
async function newUser() {
  people += 1;
  const name = `person-${people}`;
  const browser = makeBrowser(api.url);
  return { name, email: `${name}@example.test`, browser, id: await browser.register(name) };
}
const faultOf = (answer: Awaited<ReturnType<Browser['gql']>>) => answer.errors[0]?.extensions;
const signsIn = async (u: string, p: string) => (await makeBrowser(api.url).login(u, p)).errors.length === 0;
const resetBy = async (token: string, next = 'secret-2') =>
  (await makeBrowser(api.url).gql(reset, { token, next })).errors;
const mails = () =>
  api.db.rows('select kind, user_id, to_address as "to", data from mails order by created_at, user_id');

/** Makes the token of a link that is mailed now. */
async function tokenFor(id: number, sentAt = new Date()): Promise<string> {
  const row = await api.db.row('select email, password_hash from users where id = $1', [id]);
  const mark = passwordMark(row.password_hash, row.email);
  const expiresAt = linkExpiry('reset', sentAt);
  return signToken(api.linkSecret, { action: 'reset', userId: id, passwordMark: mark, expiresAt });
}

/** Opens a socket that subscribes to matches; `closed` resolves with its close code. */
async function follow(browser: Browser): Promise<{ closed: Promise<number> }> {
  const client = browser.socket();
  const opened = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<number>();
  client.on('connected', () => opened.resolve());
  client.on('closed', (event) => closed.resolve((event as { code: number }).code));
  client.subscribe({ query: 'subscription { matchAdded { cursor } }' }, { next() {}, error() {}, complete() {} });
  await opened.promise;
  return { closed: closed.promise };
}

describe('changing the password', () => {
  it('ends all other sessions and their sockets, and continues the current one under a new id', async () => {
    const { name, browser } = await newUser();
    const phone = makeBrowser(api.url);
    await phone.login(name);
    const { closed } = await follow(phone);
    const before = browser.cookie;
    const answer = await browser.gql(change, { now: 'secret-1', next: 'secret-2' });
    expect(answer.data.changePassword.message).toContain('has been changed');
    expect(await closed).toBe(4401);
    expect((await phone.gql(me)).data.me).toBeNull();
    expect((await browser.gql(me)).data.me.username).toBe(name);
    expect(browser.cookie).not.toBe(before);
    expect([await signsIn(name, 'secret-1'), await signsIn(name, 'secret-2')]).toEqual([false, true]);
  });

  it('is refused with an error on the wrong field, and changes nothing', async () => {
    const { name, browser } = await newUser();
    const phone = makeBrowser(api.url);
    await phone.login(name);
    for (const [now, next, fields] of [
      ['wrong-1', 'secret-2', { currentPassword: 'Current password is incorrect' }],
      [
        '',
        '12345',
        { currentPassword: 'Current password is required', newPassword: 'New password must be at least 6 characters' },
      ],
      ['secret-1', 'p'.repeat(201), { newPassword: 'New password can have at most 200 characters' }],
    ] as const) {
      expect(faultOf(await browser.gql(change, { now, next }))).toMatchObject({ code: 'VALIDATION', fields });
    }
    expect((await phone.gql(me)).data.me.username).toBe(name);
    expect(await signsIn(name, 'secret-1')).toBe(true);
    expect(faultOf(await makeBrowser(api.url).gql(change, { now: 'secret-1', next: 'secret-2' }))?.code).toBe(
      'UNAUTHENTICATED',
    );
  });

  it('limits the guesses of somebody who has stolen a session', async () => {
    const limited = await makeTestApi({ db: api.db, env: { RATE_LIMITS: 'on', RATE_LOGINS_PER_ACCOUNT: '2' } });
    const { browser } = await limited.user('guessed');
    const guess = () => browser.gql(change, { now: 'wrong-1', next: 'secret-2' });
    expect([faultOf(await guess())?.code, faultOf(await guess())?.code]).toEqual(['VALIDATION', 'VALIDATION']);
    expect((await guess()).status).toBe(429);
    await limited.close();
  });

  it('ends sessions that were started with the old password during the change', async () => {
    const { name, browser } = await newUser();
    const others = Array.from({ length: 6 }, () => makeBrowser(api.url));
    await Promise.all([
      browser.gql(change, { now: 'secret-1', next: 'secret-2' }),
      ...others.map((other) => other.login(name)),
    ]);
    for (const other of others) expect((await other.gql(me)).data.me).toBeNull();
  });
});

describe('a forgotten password', () => {
  it('is set by the mailed link, once; every session ends and the address is confirmed', async () => {
    const { name, email, browser, id } = await newUser();
    const asked = await makeBrowser(api.url).gql(request, { email: ` ${email.toUpperCase()}` });
    const queued = await mails();
    expect(queued).toEqual([{ kind: 'reset', user_id: id, to: email, data: { passwordMark: expect.any(String) } }]);
    const token = signToken(api.linkSecret, {
      action: 'reset',
      userId: id,
      passwordMark: queued[0].data.passwordMark,
      expiresAt: linkExpiry('reset', new Date()),
    });
    const { closed } = await follow(browser);
    const visitor = makeBrowser(api.url);
    expect((await visitor.gql(reset, { token, next: 'secret-2' })).data.resetPassword.message).toContain(name);
    expect(await closed).toBe(4401);
    expect((await browser.gql(me)).data.me).toBeNull();
    expect([await signsIn(name, 'secret-1'), await signsIn(name, 'secret-2')]).toEqual([false, true]);
    const row = await api.db.row('select email_confirmed_at from users where id = $1', [id]);
    expect(row.email_confirmed_at).not.toBeNull();
    const again = faultOf(await visitor.gql(reset, { token, next: 'secret-3' }));
    expect(again?.fields).toEqual({ token: expect.stringContaining('already been used') });
    const unknown = await makeBrowser(api.url).gql(request, { email: 'nobody@example.test' });
    expect(unknown.data).toEqual(asked.data);
    const mailed = (await mails()).filter(({ kind }) => kind !== 'new_device');
    expect(mailed.slice(1)).toEqual([
      {
        kind: 'password_changed',
        user_id: id,
        to: email,
        data: { at: expect.any(String), how: 'reset', ended: { apiKeys: [], webhooks: [] } },
      },
    ]);
  });

  it('refuses a link that is forged, expired, for another action or for another address', async () => {
    const { name, id } = await newUser();
    const mark = 'a-mark-that-fits-nothing';
    const signed = (secret: typeof api.linkSecret) =>
      signToken(secret, { action: 'reset', userId: id, passwordMark: mark, expiresAt: null });
    const confirm = signToken(api.linkSecret, {
      action: 'confirm-email',
      userId: id,
      email: 'x',
      expiresAt: new Date(0),
    });
    const old = await tokenFor(id, new Date(Date.now() - 3_600_001));
    const ofOldAddress = await tokenFor(id);
    await api.db.pool.query("update users set email = 'moved@example.test' where id = $1", [id]);
    for (const [token, text] of [
      ['', 'not valid'],
      ['x.y', 'not valid'],
      [signed('another secret of 32 characters, indeed'), 'not valid'],
      [confirm, 'not valid'],
      [old, 'has expired'],
      [signed(api.linkSecret), 'already been used'],
      [ofOldAddress, 'already been used'],
    ] as const) {
      const fault = faultOf(await makeBrowser(api.url).gql(reset, { token, next: 'secret-2' }));
      expect([token, fault?.code, fault?.fields]).toEqual([
        token,
        'VALIDATION',
        { token: expect.stringContaining(text) },
      ]);
    }
    const good = await tokenFor(id);
    const short = faultOf(await makeBrowser(api.url).gql(reset, { token: good, next: '12345' }));
    expect(short?.fields).toEqual({ newPassword: 'New password must be at least 6 characters' });
    expect(await signsIn(name, 'secret-1')).toBe(true);
    expect(await resetBy(good)).toEqual([]);
  });

  it('is set once by two concurrent calls with one link', async () => {
    const { name, id } = await newUser();
    const token = await tokenFor(id);
    const passwords = ['secret-a', 'secret-b', 'secret-c', 'secret-d'];
    const answers = await Promise.all(passwords.map((next) => makeBrowser(api.url).gql(reset, { token, next })));
    const won = passwords.filter((_, at) => answers[at]?.errors.length === 0);
    expect(won).toHaveLength(1);
    expect(await Promise.all(passwords.map((password) => signsIn(name, password)))).toEqual(
      passwords.map((password) => password === won[0]),
    );
  });

  it('is either set or changed when both happen at the same time, never both', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { name, id, browser } = await newUser();
      const token = await tokenFor(id);
      const [changed, done] = await Promise.all([
        browser.gql(change, { now: 'secret-1', next: 'changed-1' }),
        makeBrowser(api.url).gql(reset, { token, next: 'reset-1' }),
      ]);
      const works = [await signsIn(name, 'changed-1'), await signsIn(name, 'reset-1')];
      expect(works).toEqual([changed.errors.length === 0, done.errors.length === 0]);
      expect(works.filter(Boolean)).toHaveLength(1);
      // A reset ends all sessions.
      if (works[1]) expect((await browser.gql(me)).data.me).toBeNull();
    }
  });

  it('is rate limited by network; an address that was requested too often gets no more mails, without an error', async () => {
    await api.db.pool.query('delete from rate_limits');
    const limited = await makeTestApi({ db: api.db, env: { RATE_LIMITS: 'on', TRUSTED_PROXIES: '1' } });
    const { email, id } = await newUser();
    const ask = async (to: string, from: string) => {
      const answer = await fetch(`${limited.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
        body: JSON.stringify({ query: request, variables: { email: to } }),
      });
      return answer.text();
    };
    const sent = async () => (await mails()).filter(({ user_id, kind }) => user_id === id && kind === 'reset').length;
    await api.db.pool.query('delete from mails');
    const answers: string[] = [];
    for (let tries = 0; tries < 7; tries += 1)
      answers.push(await ask(tries % 2 ? email : ` ${email.toUpperCase()}`, '1.1.1.1'));
    expect(await sent()).toBe(5);
    // The owner on another network is not locked out.
    answers.push(await ask(email, '2.2.2.2'));
    expect(await sent()).toBe(6);
    answers.push(await ask('nobody@example.test', '3.3.3.3'));
    expect(new Set(answers)).toEqual(new Set([answers[0]]));
    expect(answers[0]).toContain('a link is on its way');
    await api.db.pool.query("update rate_limits set points = 20 where key like 'reset-target%'");
    expect(await ask(email, '4.4.4.4')).toBe(answers[0]);
    expect(await sent()).toBe(6);
    await api.db.pool.query("update rate_limits set points = 30 where key = 'reset-address:1.1.1.1'");
    expect(await ask('somebody-else@example.test', '1.1.1.1')).toContain('RATE_LIMITED');
    await limited.close();
  });

  it('resets the login limits of its account', async () => {
    await api.db.pool.query('delete from rate_limits');
    const limited = await makeTestApi({ db: api.db, env: { RATE_LIMITS: 'on', RATE_LOGINS_PER_ACCOUNT: '2' } });
    const { name, id } = await newUser();
    const tryIn = async (p: string) => (await makeBrowser(limited.url).login(name, p)).status;
    expect([await tryIn('wrong-1'), await tryIn('wrong-1'), await tryIn('wrong-1')]).toEqual([200, 200, 429]);
    const done = await makeBrowser(limited.url).gql(reset, { token: await tokenFor(id), next: 'secret-2' });
    expect(done.errors).toEqual([]);
    expect(await tryIn('secret-2')).toBe(200);
    await limited.close();
  });
});

describe('the links of a reset', () => {
  it('go to every account with the address, to the confirmed one first', async () => {
    const shared = { email: 'shared@example.test' };
    const first = await makeBrowser(api.url).register('sharing-1', shared);
    const second = await makeBrowser(api.url).register('sharing-2', shared);
    expect(await resetBy(await tokenFor(second))).toEqual([]);
    await api.db.pool.query('delete from mails');
    await makeBrowser(api.url).gql(request, shared);
    expect((await mails()).map(({ kind, user_id }) => [kind, user_id]).sort()).toEqual([
      ['reset', first],
      ['reset', second],
    ]);
    // Another account has confirmed the address; the password is set anyway.
    expect(await resetBy(await tokenFor(first))).toEqual([]);
    const rows = await api.db.rows(
      'select email_confirmed_at is not null as confirmed from users where id in ($1, $2) order by id',
      [first, second],
    );
    expect(rows).toEqual([{ confirmed: false }, { confirmed: true }]);
  });

  it('are replaced by a confirmation for an unconfirmed address, where addresses must be confirmed', async () => {
    const strict = await makeTestApi({ db: api.db, env: { CONFIRM_EMAIL: 'on' } });
    const browser = makeBrowser(strict.url);
    const owner = await browser.register('strict-owner');
    const email = 'strict-owner@example.test';
    await api.db.pool.query('delete from mails');
    const answer = await makeBrowser(strict.url).gql(request, { email });
    expect(await mails()).toEqual([{ kind: 'confirm', user_id: owner, to: email, data: {} }]);
    await api.db.pool.query('delete from mails');
    await api.db.pool.query('update users set email_confirmed_at = now() where id = $1', [owner]);
    await makeBrowser(strict.url).register('strict-thief', { email });
    await api.db.pool.query('delete from mails');
    expect((await makeBrowser(strict.url).gql(request, { email })).data).toEqual(answer.data);
    expect((await mails()).map(({ kind, user_id }) => [kind, user_id])).toEqual([['reset', owner]]);
    await strict.close();
  });

  it('are refused for a text that is not an address', async () => {
    expect(faultOf(await makeBrowser(api.url).gql(request, { email: 'nowhere' }))?.fields).toEqual({
      email: 'Please enter a valid email',
    });
  });
});
