import { beforeEach, expect, it } from 'vitest';
import { type Browser, makeBrowser } from '../../test/browser.ts';
import { makeTestApi, setUpApi, type TestApi } from '../../test/make-app.ts';

const api = setUpApi({ env: { CONFIRM_EMAIL: 'on' } });
beforeEach(() => api.db.pool.query('delete from mails'));

const update =
  'mutation ($input: ProfileInput!) { updateProfile(input: $input) { email pendingEmail phone timeZone emailConfirmed phoneConfirmed } }';
const contactNeeded = 'Either email or phone is required for notifications';

let people = 0;
async function newUser(to: TestApi = api) {
  people += 1;
  const name = `profile-${people}`;
  const browser = makeBrowser(to.url);
  const id = await browser.register(name, { phone: '212 555 0100' });
  const email = `${name}@example.test`;
  await api.db.pool.query('delete from mails');
  return { browser, id, email };
}
async function confirmed() {
  const user = await newUser();
  await api.db.pool.query('update users set email_confirmed_at = now(), phone_confirmed_at = now() where id = $1', [
    user.id,
  ]);
  return user;
}
const save = async (browser: Browser, input: Record<string, unknown>) =>
  (await browser.gql(update, { input })).data?.updateProfile;
const faultOf = async (browser: Browser, input: Record<string, unknown>) =>
  (await browser.gql(update, { input })).errors[0]?.extensions;
const mails = () => api.db.rows('select kind, user_id as id, to_address as "to", data from mails order by to_address');

it('changes what is given, keeps what is absent and clears null and empty texts', async () => {
  const { browser, email } = await confirmed();
  const kept = {
    email,
    pendingEmail: null,
    phone: '212 555 0100',
    timeZone: 'America/New_York',
    emailConfirmed: true,
    phoneConfirmed: true,
  };
  expect(await save(browser, {})).toEqual(kept);
  expect(await save(browser, { timeZone: 'Europe/Rome' })).toEqual({ ...kept, timeZone: 'Europe/Rome' });
  expect(await save(browser, { email, phone: ' 212 555 0100 ' })).toMatchObject({
    emailConfirmed: true,
    phoneConfirmed: true,
  });
  expect(await save(browser, { phone: 'any words, +49 (0)' })).toMatchObject({
    phone: 'any words, +49 (0)',
    phoneConfirmed: false,
    emailConfirmed: true,
  });
  expect(await save(browser, { phone: '', timeZone: null })).toMatchObject({
    phone: null,
    timeZone: 'America/New_York',
  });
  expect(await mails()).toEqual([]);
});

it('is refused with the messages of the form, and changes nothing', async () => {
  const { browser, email } = await confirmed();
  for (const [input, fields] of [
    [{ email: null, phone: ' ' }, { email: contactNeeded }],
    [{ email: 'nowhere' }, { email: 'Please enter a valid email' }],
    [{ phone: '5'.repeat(31) }, { phone: 'Phone can have at most 30 characters' }],
    [{ timeZone: 'Mars/Olympus' }, { timeZone: 'Please choose a time zone from the list' }],
  ] as const) {
    expect(await faultOf(browser, input)).toMatchObject({ code: 'VALIDATION', fields });
  }
  for (const name of ['id', 'userId', 'planId', 'role', 'createdAt', 'expiresAt', 'matchCount', 'username']) {
    expect([name, (await faultOf(browser, { [name]: 2 }))?.code]).toEqual([name, 'VALIDATION']);
  }
  expect(await save(browser, {})).toMatchObject({ email, emailConfirmed: true });
  expect((await makeBrowser(api.url).gql(update, { input: {} })).errors[0]?.extensions.code).toBe('UNAUTHENTICATED');
});

it('an unconfirmed old address gets no mail, and an address in another case is not a change', async () => {
  const first = await newUser();
  expect(await save(first.browser, { email: 'b-new@example.test' })).toMatchObject({ email: first.email });
  expect((await mails()).map(({ kind, to }) => [kind, to])).toEqual([['confirm', 'b-new@example.test']]);
  await api.db.pool.query('delete from mails');
  const second = await confirmed();
  const loud = second.email.toUpperCase();
  expect(await save(second.browser, { email: loud })).toMatchObject({ email: loud, emailConfirmed: true });
  expect(await mails()).toEqual([]);
});

it('a cleared address gets a last mail, and the next one applies at once', async () => {
  const { browser, id, email } = await confirmed();
  expect(await save(browser, { email: '' })).toMatchObject({ email: null, emailConfirmed: false });
  const data = { newAddress: null, canUndo: true };
  expect(await mails()).toEqual([{ kind: 'address_changed', id, to: email, data }]);
  expect((await faultOf(browser, { phone: null }))?.fields).toEqual({ email: contactNeeded });
  const next = { email: 'e-new@example.test', pendingEmail: null, emailConfirmed: false };
  expect(await save(browser, { email: 'e-new@example.test' })).toMatchObject(next);
});

it('a taken address gets the same answer, and its owner keeps it and gets a mail', async () => {
  const owner = await confirmed();
  const thief = await newUser();
  const taken = owner.email.toUpperCase();
  expect(await save(thief.browser, { email: taken })).toMatchObject({ email: thief.email, pendingEmail: taken });
  expect((await mails()).map(({ kind, id, to }) => [kind, id, to])).toEqual([['address_taken', owner.id, owner.email]]);
});

it('where addresses need no confirmation the old one gets a mail too, unless another account has confirmed it', async () => {
  const open = await makeTestApi({ db: api.db });
  const { browser, id, email } = await newUser(open);
  expect(await save(browser, { email: 'c-new@example.test' })).toMatchObject({ email });
  expect((await mails()).map(({ kind, id: of, to }) => [kind, of, to])).toEqual([
    ['confirm', id, 'c-new@example.test'],
    ['address_change', id, email],
  ]);
  await api.db.pool.query('delete from mails');
  const owner = await confirmed();
  const claimed = await newUser(open);
  await api.db.pool.query('update users set email = $2 where id = $1', [claimed.id, owner.email]);
  await save(claimed.browser, { email: 'd-new@example.test' });
  expect((await mails()).map(({ kind, to }) => [kind, to])).toEqual([['confirm', 'd-new@example.test']]);
  await open.close();
});

it('of two calls that together clear email and phone, one is refused', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { browser } = await newUser();
    const answers = await Promise.all([
      browser.gql(update, { input: { email: null } }),
      browser.gql(update, { input: { phone: null } }),
    ]);
    expect(answers.map(({ errors }) => errors.length).sort()).toEqual([0, 1]);
  }
});

it('the mails that a user can have sent to other addresses are rate limited', async () => {
  const limited = await makeTestApi({ db: api.db, env: { RATE_LIMITS: 'on', CONFIRM_EMAIL: 'on' } });
  const { browser } = await newUser(limited);
  for (let turn = 0; turn < 20; turn += 1) await save(browser, { email: `victim-${turn}@example.test` });
  expect((await faultOf(browser, { email: 'victim-20@example.test' }))?.code).toBe('RATE_LIMITED');
  expect(await save(browser, { email: 'victim-19@example.test', phone: '1' })).toMatchObject({ phone: '1' });
  await limited.close();
});
