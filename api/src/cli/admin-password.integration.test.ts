import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { makeBrowser } from '../../test/browser.ts';
import { ADMIN_PASSWORD, setUpApi } from '../../test/make-app.ts';

const root = new URL('../../..', import.meta.url).pathname;
const api = setUpApi();

function run(env: Record<string, string> = {}, ...args: string[]) {
  const { PATH = '', HOME = '' } = process.env;
  return spawnSync(process.execPath, ['--import', 'tsx', 'api/src/cli/admin-password.ts', ...args], {
    cwd: root,
    encoding: 'utf8',
    env: { PATH, HOME, DATABASE_URL: api.db.url, ...env },
  });
}

async function signIn(password: string) {
  const browser = makeBrowser(api.url);
  const login = 'mutation ($p: String!) { login(username: "admin", password: $p) { id } }';
  const { errors } = await browser.gql(login, { p: password });
  return { browser, signedIn: errors.length === 0 };
}

// Each start of the command takes nearly a second.

let read = 0;
/** What the command has written to the audit log since the last call. */
async function recorded(): Promise<string[]> {
  const rows = await api.db.rows(
    'select id, action, actor, subject, outcome from audit_log where id > $1 order by id',
    [read],
  );
  read = rows.at(-1)?.id ?? read;
  return rows
    .filter(({ action }) => action.endsWith('.command'))
    .map(({ action, actor, subject, outcome }) => [action, actor, subject, outcome].join(' | '));
}
const PASSWORD = 'admin.password.command | command | user 1 | done';
const SECOND_FACTOR = 'admin.second-factor.command | command | user 1 | done';

it('sets the password of the admin, ends the sessions and writes to the audit log', async () => {
  const { browser } = await signIn(ADMIN_PASSWORD);
  const made = run();
  expect(made).toMatchObject({ status: 0 });
  const { password } = JSON.parse(made.stdout);
  expect((await browser.gql('{ me { id } }')).data.me).toBeNull();
  expect((await signIn(ADMIN_PASSWORD)).signedIn).toBe(false);
  expect((await signIn(password)).signedIn).toBe(true);
  expect(await recorded()).toEqual([PASSWORD]);
});

it('removes the second factor of the admin only with the option', { tags: 'long' }, async () => {
  await api.db.pool.query(
    "insert into second_factors (user_id, secret_ciphertext, confirmed_at) values (1, '', now())",
  );
  const left = async () => (await api.db.pool.query('select from second_factors')).rowCount;
  const chosen = run({ ADMIN_PASSWORD: 'chosen-2' });
  expect([JSON.parse(chosen.stdout), chosen.status, await left()]).toEqual([{ username: 'admin' }, 0, 1]);
  expect(await recorded()).toEqual([PASSWORD]);
  expect((await signIn('chosen-2')).signedIn).toBe(false);
  expect([run({ ADMIN_PASSWORD: 'chosen-2' }, '--without-second-factor').status, await left()]).toEqual([0, 0]);
  expect(await recorded()).toEqual([PASSWORD, SECOND_FACTOR]);
  expect((await signIn('chosen-2')).signedIn).toBe(true);
});

it('removes no second factor where there is none, and knows no other option', { tags: 'long' }, async () => {
  expect(run({ ADMIN_PASSWORD: 'chosen-2' }, '--without-second-factor').status).toBe(0);
  expect(await recorded()).toEqual([PASSWORD]);
  expect(run({}, '--without-anything').status).toBe(1);
});

describe.each([
  ['letmein', []],
  ['the-admin-of-it', ['long']],
])('a weak password: %s', (weak, tags) => {
  it('is refused, and changes nothing', { tags }, async () => {
    const { status, stderr, stdout } = run({ ADMIN_PASSWORD: weak });
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^ADMIN_PASSWORD: /);
    expect((await signIn(weak)).signedIn).toBe(false);
  });
});
