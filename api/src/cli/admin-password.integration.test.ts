import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
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

it('sets the password of the admin, ends the sessions and writes to the audit log', async () => {
  const { browser } = await signIn(ADMIN_PASSWORD);
  const made = run();
  expect(made).toMatchObject({ status: 0 });
  const { password } = JSON.parse(made.stdout);
  expect((await browser.gql('{ me { id } }')).data.me).toBeNull();
  expect((await signIn(ADMIN_PASSWORD)).signedIn).toBe(false);
  expect((await signIn(password)).signedIn).toBe(true);
  expect(JSON.parse(run({ ADMIN_PASSWORD: 'chosen-1' }).stdout)).toEqual({ username: 'admin' });
  expect((await signIn('chosen-1')).signedIn).toBe(true);
  const rows = await api.db.rows(
    "select actor, subject, outcome from audit_log where action = 'admin.password.command'",
  );
  expect(rows).toEqual(Array(2).fill({ actor: 'command', subject: 'user 1', outcome: 'done' }));
});

it('removes the second factor of the admin only with the option', async () => {
  await api.db.pool.query(
    "insert into second_factors (user_id, secret_ciphertext, confirmed_at) values (1, '', now())",
  );
  const left = async () => (await api.db.pool.query('select from second_factors')).rowCount;
  const rows = () => api.db.rows("select outcome from audit_log where action = 'admin.second-factor.command'");
  expect([run({ ADMIN_PASSWORD: 'chosen-2' }).status, await left(), await rows()]).toEqual([0, 1, []]);
  expect((await signIn('chosen-2')).signedIn).toBe(false);
  for (let times = 0; times < 2; times += 1) {
    expect(run({ ADMIN_PASSWORD: 'chosen-2' }, '--without-second-factor').status).toBe(0);
    expect([await left(), await rows()]).toEqual([0, [{ outcome: 'done' }]]);
  }
  expect((await signIn('chosen-2')).signedIn).toBe(true);
  expect(run({}, '--without-anything').status).toBe(1);
});

it.each(['letmein', 'the-admin-of-it'])('refuses %s, and does not change the password', async (weak) => {
  const { status, stderr, stdout } = run({ ADMIN_PASSWORD: weak });
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^ADMIN_PASSWORD: /);
  expect((await signIn(weak)).signedIn).toBe(false);
});
