import { expect, it } from 'vitest';
import { type Browser, makeBrowser } from '../../../test/browser.ts';
import { setUpApi } from '../../../test/make-app.ts';

const api = setUpApi({ env: { CONFIRM_EMAIL: 'on' } });

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const login = 'mutation ($u: String!, $p: String!) { login(username: $u, password: $p) { id } }';

let people = 0;
/** Registers a user in a browser. */
async function newUser({ confirmed = true } = {}) {
  people += 1;
  const name = `signer-${people}`;
  const { browser, id } = await api.user(name);
  if (confirmed) await api.db.pool.query('update users set email_confirmed_at = now() where id = $1', [id]);
  return { id, name, browser, email: `${name}@example.test` };
}
const signIn = (browser: Browser, u: string, p = 'secret-1') => browser.gql(login, { u, p }, { 'user-agent': CHROME });
const mailsOf = (id: number) =>
  api.db.rows(
    `select to_address as "to", data from mails where kind = 'new_device' and user_id = $1 order by created_at`,
    [id],
  );

it('a login on a new device is mailed to the confirmed address, once', async () => {
  const { id, name, email } = await newUser();
  const phone = makeBrowser(api.url);
  await signIn(phone, name, 'wrong-1');
  expect(await mailsOf(id)).toEqual([]);
  await signIn(phone, name.toUpperCase());
  const [mail, ...more] = await mailsOf(id);
  expect(mail).toEqual({ to: email, data: { at: expect.any(String), browser: 'Chrome', system: 'Windows' } });
  expect(Date.now() - new Date(mail.data.at).getTime()).toBeLessThan(60_000);
  expect(more).toEqual([]);
  await phone.gql('mutation { logout }');
  await signIn(phone, name);
  expect(await mailsOf(id)).toHaveLength(1);
});

it('nothing is mailed for the device of the registration, nor to an unconfirmed address', async () => {
  const known = await newUser();
  await known.browser.gql('mutation { logout }');
  await signIn(known.browser, known.name);
  expect(await mailsOf(known.id)).toEqual([]);
  const unconfirmed = await newUser({ confirmed: false });
  await signIn(makeBrowser(api.url), unconfirmed.name);
  expect(await mailsOf(unconfirmed.id)).toEqual([]);
});

it('a device is new for each account that it signs in to', async () => {
  const [one, two] = [await newUser(), await newUser()];
  await signIn(one.browser, two.name);
  expect([await mailsOf(one.id), await mailsOf(two.id)]).toEqual([[], [expect.anything()]]);
});

it('the mails about new devices are capped at ten a day', async () => {
  const { id, name } = await newUser();
  for (let tries = 0; tries < 12; tries += 1) await signIn(makeBrowser(api.url), name);
  expect(await mailsOf(id)).toHaveLength(10);
  await api.db.pool.query(`update mail_counts set day = day - 1`);
  await signIn(makeBrowser(api.url), name);
  expect(await mailsOf(id)).toHaveLength(11);
});
