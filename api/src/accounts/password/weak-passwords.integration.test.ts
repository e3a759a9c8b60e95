import { expect, it } from 'vitest';
import { type Browser, makeBrowser } from '../../../test/browser.ts';
import { setUpApi } from '../../../test/make-app.ts';
import { linkExpiry, signToken } from '../../domain/action-links.ts';
import { hashPassword, passwordMark } from '../passwords.ts';

const api = setUpApi();

const COMMON = 'This password is one of the most common ones. Please choose another.';
const NAME = 'The password must not contain your username.';
const EMAIL = 'The password must not contain the name in your email address.';
const register = 'mutation ($input: RegisterInput!) { register(input: $input) { id } }';
const change = 'mutation ($p: String!) { changePassword(currentPassword: "secret-1", newPassword: $p) { message } }';
const reset = 'mutation ($t: String!, $p: String!) { resetPassword(token: $t, newPassword: $p) { message } }';

const fieldsOf = ({ errors }: Awaited<ReturnType<Browser['gql']>>) => errors[0]?.extensions.fields;

it.each([
  ['Password1', COMMON],
  ['my-weakling-1', NAME],
  ['post.box.1', EMAIL],
])(
  'registration, change and reset refuse %s with an error on the field, and change nothing',
  async (password, fault) => {
    const owner = { username: 'weakling', email: 'post.box@example.test' };
    const refused = await makeBrowser(api.url).gql(register, { input: { ...owner, password } });
    expect(refused.errors[0]?.extensions).toMatchObject({ code: 'VALIDATION', fields: { password: fault } });
    const { browser, id } = await api.user(owner.username, owner);
    expect(fieldsOf(await browser.gql(change, { p: password }))).toEqual({ newPassword: fault });
    const row = await api.db.row('select email, password_hash as hash from users where id = $1', [id]);
    const mark = passwordMark(row.hash, row.email);
    const expiresAt = linkExpiry('reset', new Date());
    const t = signToken(api.linkSecret, { action: 'reset', userId: id, passwordMark: mark, expiresAt });
    expect(fieldsOf(await makeBrowser(api.url).gql(reset, { t, p: password }))).toEqual({ newPassword: fault });
    // The link still works with a better password.
    expect((await makeBrowser(api.url).gql(reset, { t, p: 'secret-2' })).errors).toEqual([]);
    await api.db.pool.query('delete from users where id = $1', [id]);
  },
);

it('lets users sign in whose weak password was set before the rule', async () => {
  const { id } = await api.user('veteran');
  await api.db.pool.query('update users set password_hash = $2 where id = $1', [id, await hashPassword('password123')]);
  const login = 'mutation { login(username: "veteran", password: "password123") { username } }';
  expect((await makeBrowser(api.url).gql(login)).data.login).toEqual({ username: 'veteran' });
});
