import { createHash, randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { onCluster } from '../../../test/database.ts';
import { makeTestApi, setUpApi } from '../../../test/make-app.ts';
import { newTestSubscription } from '../../../test/push/push-service.ts';

const api = setUpApi();

const newSubscription = () => ({
  endpoint: `https://push.example/${randomBytes(9).toString('base64url')}`,
  ...newTestSubscription(),
});
const ADD = `mutation ($input: PushSubscriptionInput!) {
  addPushSubscription(input: $input) { id mark browser system lastSuccessAt lastError } }`;
const LIST = '{ pushSubscriptions { id mark } }';

let counter = 0;
async function person() {
  counter += 1;
  const { browser, id } = await api.user(`push-${counter}`);
  const add = async (input: Record<string, unknown>) => {
    const { data, errors } = await browser.gql(ADD, { input });
    return errors[0] ? errors[0].extensions : data.addPushSubscription;
  };
  const list = async () => (await browser.gql(LIST)).data.pushSubscriptions;
  return { browser, id, add, list };
}

it('a browser is added, listed by the mark of its address, and removed', async () => {
  const ana = await person();
  const input = newSubscription();
  const added = await ana.add(input);
  const mark = createHash('sha256').update(input.endpoint).digest('base64url');
  expect(added).toMatchObject({ mark, lastSuccessAt: null, lastError: null });
  expect((await ana.add(input)).id).toBe(added.id);
  expect(await ana.list()).toEqual([{ id: added.id, mark }]);
  const remove = 'mutation ($id: ID!) { removePushSubscription(id: $id) }';
  expect((await ana.browser.gql(remove, { id: added.id })).data.removePushSubscription).toBe(added.id);
  expect((await ana.browser.gql(remove, { id: added.id })).errors[0]?.extensions.code).toBe('NOT_FOUND');
  expect(await ana.list()).toEqual([]);
});

it('nobody sees or removes the browser of somebody else', async () => {
  const [ana, ben] = [await person(), await person()];
  const { id } = await ana.add(newSubscription());
  expect(await ben.list()).toEqual([]);
  const { errors } = await ben.browser.gql(`mutation { removePushSubscription(id: "${id}") }`);
  expect(errors[0]?.extensions.code).toBe('NOT_FOUND');
  expect(await ana.list()).toHaveLength(1);
});

it('a browser that another user signs in on becomes theirs, and nobody takes it without its keys', async () => {
  const [ana, ben] = [await person(), await person()];
  const input = newSubscription();
  await ana.add(input);
  expect(await ben.add({ ...newSubscription(), endpoint: input.endpoint })).toMatchObject({ code: 'CONFLICT' });
  expect(await ana.list()).toHaveLength(1);
  await ben.add(input);
  expect([await ana.list(), (await ben.list()).length]).toEqual([[], 1]);
});

it('a browser that many users add at once becomes that of one, without a key of the database for it', async () => {
  const key = 'push_subscriptions_endpoint_key';
  // Distributed tables have no such key.
  if (!onCluster) await api.db.pool.query(`alter table push_subscriptions drop constraint ${key}`);
  try {
    const people = await Promise.all(Array.from({ length: 8 }, person));
    const input = newSubscription();
    const others = { ...newSubscription(), endpoint: input.endpoint };
    const added = await Promise.all(people.map(({ add }, at) => add(at % 4 === 3 ? others : input)));
    const kept = await api.db.rows('select user_id as id, p256dh, auth from push_subscriptions where endpoint = $1', [
      input.endpoint,
    ]);
    expect(kept).toHaveLength(1);
    const refused = people.flatMap((_, at) => (added[at].code === 'CONFLICT' ? at : []));
    // Who came first decides which keys are the browser's.
    expect([
      [3, 7],
      [0, 1, 2, 4, 5, 6],
    ]).toContainEqual(refused);
  } finally {
    await api.db.pool.query('truncate push_subscriptions');
    if (!onCluster) await api.db.pool.query(`alter table push_subscriptions add constraint ${key} unique (endpoint)`);
  }
});

it('a browser that is added again is called no sooner, but for another user', async () => {
  const [ana, ben] = [await person(), await person()];
  const input = newSubscription();
  const { id } = await ana.add(input);
  await api.db.pool.query(
    `update push_subscriptions set failures = 3, failing_since = now(), retry_at = now() + interval '1 hour', last_error = 'x'
      where id = $1`,
    [id],
  );
  const failing = async () =>
    await api.db.row(
      'select failures, failing_since, retry_at, last_error from push_subscriptions where endpoint = $1',
      [input.endpoint],
    );
  const before = await failing();
  expect(await ana.add(input)).toMatchObject({ id, lastError: 'x' });
  expect(await failing()).toEqual(before);
  await ben.add(input);
  expect(await failing()).toEqual({ failures: 0, failing_since: null, retry_at: null, last_error: null });
});

it.each<[string, Partial<ReturnType<typeof newSubscription>>, string]>([
  ['http', { endpoint: 'ftp://push.example/x' }, 'endpoint'],
  ['no address', { endpoint: 'push' }, 'endpoint'],
  ['a password in the address', { endpoint: 'https://a:b@push.example/' }, 'endpoint'],
  ['this machine', { endpoint: 'https://127.0.0.1/x' }, 'endpoint'],
  ['a private network', { endpoint: 'https://10.0.0.8/x' }, 'endpoint'],
  ['a metadata service', { endpoint: 'https://169.254.169.254/x' }, 'endpoint'],
  ['a name of this machine', { endpoint: 'https://localhost/x' }, 'endpoint'],
  ['a long address', { endpoint: `https://push.example/${'x'.repeat(2_000)}` }, 'endpoint'],
  ['a line break', { endpoint: 'https://push.example/\nx' }, 'endpoint'],
  ['a key that is no point', { p256dh: Buffer.alloc(65, 4).toString('base64url') }, 'p256dh'],
  ['a short key', { p256dh: 'BA' }, 'p256dh'],
  ['a long key', { p256dh: 'B'.repeat(100_000) }, 'p256dh'],
  ['an empty secret', { auth: '' }, 'auth'],
  ['a long secret', { auth: randomBytes(32).toString('base64url') }, 'auth'],
])('refuses %s', async (_name, wrong, field) => {
  const ana = await person();
  const refused = await ana.add({ ...newSubscription(), ...wrong });
  expect(refused).toMatchObject({ code: 'VALIDATION' });
  expect(Object.keys(refused.fields)).toEqual([field]);
});

it('a user has at most ten browsers, also when they are added together', async () => {
  const ana = await person();
  const results = await Promise.all(Array.from({ length: 14 }, () => ana.add(newSubscription())));
  expect(results.filter(({ code }) => code === 'CONFLICT')).toHaveLength(4);
  expect(await ana.list()).toHaveLength(10);
});

it('all processes of an installation have one public key', async () => {
  const ana = await person();
  const { pushKey } = (await ana.browser.gql('{ pushKey }')).data;
  expect(Buffer.from(pushKey, 'base64url')).toHaveLength(65);
  const second = await makeTestApi({ db: api.db });
  const { browser } = await second.user('push-second');
  expect((await browser.gql('{ pushKey }')).data).toEqual({ pushKey });
  await second.close();
});

it('an alert asks for push notifications on every plan, and the search writes one for each match', async () => {
  const ana = await person();
  const input = { make: 'toyota', model: 'camry', location: 'Los Angeles, CA', radius: 50, pushNotifications: true };
  const { data } = await ana.browser.gql(
    'mutation ($input: AlertInput!) { createAlert(input: $input) { id pushNotifications emailNotifications } }',
    { input },
  );
  expect(data.createAlert).toMatchObject({ pushNotifications: true, emailNotifications: true });
  const id = data.createAlert.id;
  const { rows } = await api.db.pool.query('select distinct pushes from alert_cells where alert_id = $1', [id]);
  expect(rows).toEqual([{ pushes: true }]);
  await ana.browser.gql(`mutation { updateAlert(id: ${id}, input: { pushNotifications: false }) { id } }`);
  const { rows: after } = await api.db.pool.query('select distinct pushes from alert_cells where alert_id = $1', [id]);
  expect(after).toEqual([{ pushes: false }]);
});
