import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { appCode, type Browser, makeBrowser } from '../../../test/browser.ts';
import { setUpApi } from '../../../test/make-app.ts';
import { newTestSubscription } from '../../../test/push/push-service.ts';

const api = setUpApi();

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const ADD = 'mutation ($input: PushSubscriptionInput!) { addPushSubscription(input: $input) { id } }';

const newSubscription = () => ({
  endpoint: `https://push.example/${randomBytes(9).toString('base64url')}`,
  ...newTestSubscription(),
});
const add = (browser: Browser, input = newSubscription()) => browser.gql(ADD, { input }, { 'user-agent': CHROME });
/** How many browsers get the messages of a user. */
const reached = async (userId: number): Promise<number> =>
  Number((await api.db.row('select count(*) as n from push_subscriptions where user_id = $1', [userId])).n);

async function act(browser: Browser, mutation: string, variables: Record<string, unknown> = {}) {
  const { data, errors } = await browser.gql(mutation, variables);
  if (errors[0]) throw new Error(errors[0].message);
  return data;
}

let people = 0;
/** Somebody with a laptop and a phone that both get push messages, and a stranger who has a device too. */
async function person() {
  people += 1;
  const name = `pushed-${people}`;
  const { browser: laptop, id } = await api.user(name);
  const phone = makeBrowser(api.url);
  await phone.login(name);
  const stranger = await api.user(`stranger-${people}`);
  for (const browser of [laptop, phone, stranger.browser]) await add(browser);
  return { name, id, laptop, phone, stranger };
}

const sessionOf = async (browser: Browser): Promise<string> =>
  (await browser.gql('{ sessions { id isCurrent } }')).data.sessions.find(
    (one: { isCurrent: boolean }) => one.isCurrent,
  ).id;

describe('the push messages to a browser end with its session', () => {
  const ways: [string, (of: Awaited<ReturnType<typeof person>>) => Promise<unknown>][] = [
    ['it signs out', ({ phone }) => act(phone, 'mutation { logout }')],
    [
      'it is signed out from another device',
      async ({ laptop, phone }) =>
        act(laptop, 'mutation ($id: ID!) { endSession(id: $id) }', { id: await sessionOf(phone) }),
    ],
    ['all others are signed out', ({ laptop }) => act(laptop, 'mutation { endOtherSessions }')],
    [
      'the password is changed',
      ({ laptop }) =>
        act(laptop, 'mutation { changePassword(currentPassword: "secret-1", newPassword: "secret-2") { message } }'),
    ],
    [
      'a second factor is set up',
      async ({ laptop }) => {
        await act(laptop, 'mutation { confirmPassword(currentPassword: "secret-1") { message } }');
        const { startSecondFactor } = await act(laptop, 'mutation { startSecondFactor { secret } }');
        const code = appCode(startSecondFactor.secret);
        await act(laptop, 'mutation ($c: String!) { confirmSecondFactor(code: $c) { codes } }', { c: code });
      },
    ],
    ['another user signs in there', ({ phone }) => phone.login(`stranger-${people}`)],
  ];
  it.each(ways)('when %s', async (_name, end) => {
    const one = await person();
    expect(await reached(one.id)).toBe(2);
    await end(one);
    const { rows } = await api.db.pool.query(
      `select s.sess ->> 'userId' as user from push_subscriptions p join session s on s.id = p.session_id
        where p.user_id = $1`,
      [one.id],
    );
    expect([await reached(one.id), rows]).toEqual([1, [{ user: String(one.id) }]]);
    expect((await one.laptop.gql('{ pushSubscriptions { id } }')).data.pushSubscriptions).toHaveLength(1);
    expect(await reached(one.stranger.id)).toBe(1);
  });

  it('a session that expires ends none, since nobody asked for it, and signing all others out ends them then', async () => {
    const { id, laptop, phone } = await person();
    const session = await sessionOf(phone);
    await api.db.pool.query('delete from session where id = $1', [session]);
    expect(await reached(id)).toBe(2);
    await act(laptop, 'mutation { endOtherSessions }');
    expect(await reached(id)).toBe(1);
  });

  it('the same user who signs in there again keeps them, in the new session', async () => {
    const { id, name, laptop, phone } = await person();
    await phone.login(name);
    expect(await reached(id)).toBe(2);
    await act(laptop, 'mutation ($id: ID!) { endSession(id: $id) }', { id: await sessionOf(phone) });
    expect(await reached(id)).toBe(1);
  });

  it('a browser that is added again belongs to the session in which that was', async () => {
    const { id, name, laptop, phone } = await person();
    const input = newSubscription();
    await add(phone, input);
    await api.db.pool.query('delete from session where id = $1', [await sessionOf(phone)]);
    await phone.login(name);
    await add(phone, input);
    await act(laptop, 'mutation ($id: ID!) { endSession(id: $id) }', { id: await sessionOf(phone) });
    // The phone's first one was of the session that expired.
    expect(await reached(id)).toBe(2);
  });

  it('a browser can not be added while its session is being ended', async () => {
    const { id, laptop, phone } = await person();
    const client = await api.db.pool.connect();
    await client.query('begin');
    await client.query('delete from session where id = $1', [await sessionOf(phone)]);
    const adding = add(phone);
    await expect.poll(() => api.db.lockWaits()).toBeGreaterThan(0);
    await client.query('commit');
    client.release();
    expect((await adding).errors[0]?.extensions.code).toBe('UNAUTHENTICATED');
    await act(laptop, 'mutation { endOtherSessions }');
    expect(await reached(id)).toBe(1);
  });
});

it('the owner gets a mail about each browser that is new, and about no other', async () => {
  const { browser, id } = await api.user('push-owner');
  const input = newSubscription();
  await add(browser, input);
  await add(browser, input);
  await add(browser, { ...input, auth: '' });
  const mails = () => api.db.rows(`select kind, to_address as "to", data from mails where user_id = $1`, [id]);
  const mail = {
    kind: 'push_added',
    to: 'push-owner@example.test',
    data: { at: expect.any(String), browser: 'Chrome', system: 'Windows' },
  };
  expect(await mails()).toEqual([mail]);
  await add(browser);
  expect(await mails()).toEqual([mail, mail]);
});
