import { describe, expect, it, vi } from 'vitest';
import { interceptAllClients } from '../../lab/intercept-statements.ts';
import { type Browser, makeBrowser } from '../../test/browser.ts';
import { onCluster } from '../../test/database.ts';
import { ADMIN_PASSWORD, makeTestApi, setUpApi } from '../../test/make-app.ts';

const api = setUpApi();

it('writes the session of a login once, so that a session that has ended meanwhile is not restored', async () => {
  await makeBrowser(api.url).register('ana');
  await api.db.pool.query(`
    create table session_writes (sid text);
    create function note_session_write() returns trigger language plpgsql as
      'begin insert into session_writes values (new.sid); return null; end';
    create trigger note_session_write after insert or update on session
      for each row execute function note_session_write()`);
  const browser = makeBrowser(api.url);
  await browser.login('ana');
  const { rowCount } = await api.db.pool.query('select from session_writes');
  expect((await browser.gql('{ me { username } }')).data.me).toEqual({ username: 'ana' });
  expect(rowCount).toBe(1);
});

it('a login whose session could not be stored signs nobody in, and stores none at the end of its response', async () => {
  await makeBrowser(api.url).register('bob');
  await api.db.pool.query('create sequence session_tries');
  await api.db.pool.query(`create function fail_first_session() returns trigger language plpgsql as
    'begin if nextval(''session_tries'') = 1 then raise exception ''busy''; end if; return new; end'`);
  await api.db.pool.query(`create trigger fail_first_session before insert on session
    for each row execute function fail_first_session()`);
  const sessions = async () => (await api.db.rows('select sid from session order by sid')).map(({ sid }) => sid);
  const before = await sessions();
  const browser = makeBrowser(api.url);
  expect((await browser.login('bob')).errors[0]?.extensions.code).toBe('INTERNAL');
  expect((await browser.gql('{ me { username } }')).data.me).toBeNull();
  expect(await sessions()).toEqual(before);
  await browser.login('bob');
  expect((await browser.gql('{ me { username } }')).data.me).toEqual({ username: 'bob' });
});

it('a login whose session was stored signs nobody in where the answer of the database is lost', async () => {
  await makeBrowser(api.url).register('cleo');
  const { pool } = api.db;
  const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<unknown>;
  const losing = vi.spyOn(pool, 'query').mockImplementation(async (...args: unknown[]) => {
    const answer = await query(...args);
    if (String(args[0]).startsWith('INSERT INTO "session"')) throw new Error('Connection terminated unexpectedly');
    return answer;
  });
  const browser = makeBrowser(api.url);
  try {
    expect((await browser.login('cleo')).errors[0]?.extensions.code).toBe('UNAVAILABLE');
  } finally {
    losing.mockRestore();
  }
  expect((await browser.gql('{ me { username } }')).data.me).toBeNull();
});

// On a cluster, statements can't be intercepted once their connection is open.
it.skipIf(onCluster).each([
  ['be checked', 'dora', /^\/\* lock-password/],
  ['be checked, nor signed out', 'dina', /^\/\* lock-password|^with ended/],
  ['end the session before it', 'ella', /^delete from push_subscriptions/],
])('a login that can’t %s after its own session was stored signs nobody in', async (_what, username, failing) => {
  await makeBrowser(api.url).register(username);
  const browser = makeBrowser(api.url);
  await browser.register(`${username}_before`);
  const stop = interceptAllClients((_client, statement, send) => {
    if (failing.test(statement.text)) throw Object.assign(new Error('canceled'), { code: '57014' });
    return send(statement);
  });
  try {
    expect((await browser.login(username)).errors[0]?.extensions.code).toBe('UNAVAILABLE');
  } finally {
    stop();
  }
  expect((await browser.gql('{ me { username } }')).data.me).toBeNull();
  const { rowCount } = await api.db.pool.query(
    `select from session where sess ->> 'userId' = (select id::text from users where username = $1)`,
    [username],
  );
  expect(rowCount).toBe(1);
});

describe('a session of the admin', () => {
  const me = '{ me { username } }';
  const minutesLeft = async (browser: Browser): Promise<number> => {
    const row = await api.db.row(
      'select extract(epoch from expire - now()) / 60 as minutes from session where sid = $1',
      [sidOf(browser)],
    );
    return Math.round(row?.minutes ?? 0);
  };
  const sidOf = (browser: Browser) => decodeURIComponent(browser.cookie ?? '').match(/=s:([^.]+)/)?.[1];
  const change = (browser: Browser, assignment: string) =>
    api.db.pool.query(`update session set ${assignment} where sid = $1`, [sidOf(browser)]);
  const signedIn = async (browser: Browser) => (await browser.gql(me)).data.me !== null;
  const began = (ago: string) => `created_at = now() - interval '${ago}', last_used_at = now() - interval '1 hour'`;
  const lastUsed = async (browser: Browser): Promise<number> => {
    const row = await api.db.row(
      'select extract(epoch from now() - last_used_at) / 60 as minutes from session where sid = $1',
      [sidOf(browser)],
    );
    return Math.round(row?.minutes ?? -1);
  };

  /** The same browser at an API process that has not seen it yet. */
  async function elsewhere<T>(browser: Browser, work: (there: Browser) => Promise<T>): Promise<T> {
    const other = await makeTestApi({ db: api.db });
    try {
      return await work(Object.assign(makeBrowser(other.url), { cookie: browser.cookie }));
    } finally {
      await other.close();
    }
  }
  async function admin(): Promise<Browser> {
    const browser = makeBrowser(api.url);
    await browser.login('admin', ADMIN_PASSWORD);
    return browser;
  }

  it('ends after 30 minutes without use, as does its cookie; others after 30 days', async () => {
    const browser = await admin();
    expect(browser.lastSetCookie).toMatch(/Expires=/);
    const endsAt = Date.parse(browser.lastSetCookie?.match(/Expires=([^;]+)/)?.[1] ?? '');
    expect(Math.round((endsAt - Date.now()) / 60_000)).toBe(30);
    expect(await minutesLeft(browser)).toBe(30);
    await change(browser, "expire = now() - interval '1 second'");
    expect(await signedIn(browser)).toBe(false);
    const { browser: buyer } = await api.user('lasting');
    expect(await minutesLeft(buyer)).toBe(30 * 24 * 60);
  });

  it('is extended by use', async () => {
    const browser = await admin();
    await change(browser, "expire = now() + interval '5 minutes'");
    await elsewhere(browser, async (there) => {
      expect(await signedIn(there)).toBe(true);
      await expect.poll(() => minutesLeft(browser)).toBe(30);
    });
  });

  it('ends after 12 hours in any case', async () => {
    const browser = await admin();
    await change(browser, began('11 hours 50 minutes'));
    await elsewhere(browser, async (there) => {
      expect(await signedIn(there)).toBe(true);
      await expect.poll(() => lastUsed(browser)).toBe(0);
      expect(await minutesLeft(browser)).toBe(10);
    });
    await change(browser, began('12 hours'));
    expect(await signedIn(browser)).toBe(false);
  });

  it('closes its sockets at its end, and is not extended by a socket', async () => {
    const browser = await admin();
    const other = await makeTestApi({ db: api.db, checkSocketsEveryMs: 100 });
    const there = Object.assign(makeBrowser(other.url), { cookie: browser.cookie });
    await change(browser, "expire = now() + interval '5 minutes'");
    const socket = there.socket();
    const closed = Promise.withResolvers<{ code: number; reason: string }>();
    const opened = Promise.withResolvers<void>();
    socket.on('connected', () => opened.resolve());
    socket.on('closed', (event) => closed.resolve(event as { code: number; reason: string }));
    socket.subscribe({ query: 'subscription { matchAdded { cursor } }' }, { next() {}, error() {}, complete() {} });
    await opened.promise;
    expect(await minutesLeft(browser)).toBe(5);
    await change(browser, "expire = now() - interval '1 second'");
    expect(await closed.promise).toMatchObject({ code: 4401, reason: 'Session ended' });
    await other.close();
  });
});
