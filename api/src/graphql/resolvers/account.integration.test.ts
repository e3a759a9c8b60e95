import { beforeEach, expect, it } from 'vitest';
import { makeBrowser } from '../../../test/browser.ts';
import { setUpApi } from '../../../test/make-app.ts';
import { linkExpiry, signToken } from '../../domain/action-links.ts';

const api = setUpApi({ env: { CONFIRM_EMAIL: 'on' } });
beforeEach(() => api.db.pool.query('delete from mails'));

const confirm = 'mutation ($token: String!) { confirmEmail(token: $token) { message } }';
const resend = 'mutation { resendConfirmation { message } }';
const tokenFor = (userId: number, email: string, sentAt = new Date()) =>
  signToken(api.linkSecret, { action: 'confirm-email', userId, email, expiresAt: linkExpiry('confirm-email', sentAt) });
const mails = () => api.db.rows('select kind, user_id, to_address from mails order by created_at');

it('a new address gets a confirmation link, which works without a session', async () => {
  const { browser, id } = await api.user('ana');
  expect(await mails()).toEqual([{ kind: 'confirm', user_id: id, to_address: 'ana@example.test' }]);
  const token = tokenFor(id, 'ana@example.test');
  expect((await makeBrowser(api.url).gql(confirm, { token })).data.confirmEmail.message).toBe(
    'Your email address is confirmed.',
  );
  expect((await browser.gql('{ me { emailConfirmed } }')).data.me.emailConfirmed).toBe(true);
  expect((await browser.gql(confirm, { token })).errors).toEqual([]);
  expect((await browser.gql(resend)).data.resendConfirmation.message).toContain('already confirmed');
});

it('a link for another action or address, or an expired one, confirms nothing', async () => {
  const id = await makeBrowser(api.url).register('bob');
  const pause = signToken(api.linkSecret, { action: 'pause', alertId: 1, userId: id, expiresAt: null });
  const old = tokenFor(id, 'bob@example.test', new Date(Date.now() - 90 * 86_400_000));
  const foreign = signToken('another secret of 32 characters, indeed', {
    action: 'confirm-email',
    userId: id,
    email: 'bob@example.test',
    expiresAt: null,
  });
  for (const [token, code] of [
    [pause, 'VALIDATION'],
    [old, 'VALIDATION'],
    [foreign, 'VALIDATION'],
    [tokenFor(id, 'other@example.test'), 'NOT_FOUND'],
    [`${tokenFor(id, 'bob@example.test')}x`, 'VALIDATION'],
  ] as const) {
    expect((await makeBrowser(api.url).gql(confirm, { token })).errors[0]?.extensions.code).toBe(code);
  }
  const row = await api.db.row('select email_confirmed_at from users where id = $1', [id]);
  expect(row.email_confirmed_at).toBeNull();
});

it('registering with a taken address gets the same answer, and its owner gets a mail', async () => {
  const { browser: owner, id: ownerId } = await api.user('owner');
  await owner.gql(confirm, { token: tokenFor(ownerId, 'owner@example.test') });
  await api.db.pool.query('delete from mails');
  const thief = makeBrowser(api.url);
  const answer = await thief.gql(
    'mutation ($input: RegisterInput!) { register(input: $input) { username email emailConfirmed } }',
    { input: { username: 'thief', password: 'secret-1', email: 'Owner@example.test' } },
  );
  expect(answer.errors).toEqual([]);
  expect(answer.data.register).toEqual({ username: 'thief', email: 'Owner@example.test', emailConfirmed: false });
  expect(await mails()).toEqual([{ kind: 'address_taken', user_id: ownerId, to_address: 'owner@example.test' }]);
  await api.db.pool.query('delete from mails');
  expect((await thief.gql(resend)).data.resendConfirmation.message).toBe('We sent a link to Owner@example.test.');
  expect(await mails()).toEqual([{ kind: 'address_taken', user_id: ownerId, to_address: 'owner@example.test' }]);
});

it('of two accounts with one address only the first to confirm it gets it', async () => {
  const [first, second] = [makeBrowser(api.url), makeBrowser(api.url)];
  const firstId = await first.register('first', { email: 'shared@example.test' });
  const secondId = await second.register('second', { email: 'shared@example.test' });
  expect((await first.gql(confirm, { token: tokenFor(firstId, 'shared@example.test') })).errors).toEqual([]);
  const late = await second.gql(confirm, { token: tokenFor(secondId, 'shared@example.test') });
  expect(late.errors[0]?.extensions.code).toBe('CONFLICT');
});

it('confirming the address makes waiting mails due at once', async () => {
  const { browser, id } = await api.user('patient');
  const made = await browser.gql(
    'mutation { createAlert(input: { make: "toyota", location: "90001", radius: 50 }) { id } }',
  );
  const alertId = Number(made.data.createAlert.id);
  await api.db.pool.query(
    "insert into notifications (user_id, alert_id, listing_id, due_at) values ($1, $2, 1, now() + interval '1 hour')",
    [id, alertId],
  );
  await browser.gql(confirm, { token: tokenFor(id, 'patient@example.test') });
  const rows = await api.db.rows('select due_at <= now() as due from notifications where alert_id = $1', [alertId]);
  expect(rows).toEqual([{ due: true }]);
});

it('a test notification is sent only to a confirmed address, and only for the user’s own alert', async () => {
  const { browser, id } = await api.user('tester');
  const made = await browser.gql(
    'mutation { createAlert(input: { make: "toyota", location: "90001", radius: 50 }) { id } }',
  );
  const alertId = made.data.createAlert.id;
  const send = 'mutation ($id: ID!) { sendTestNotification(alertId: $id) { message } }';
  expect((await browser.gql(send, { id: alertId })).errors[0]?.message).toBe(
    'Please confirm your email address first.',
  );
  await browser.gql(confirm, { token: tokenFor(id, 'tester@example.test') });
  await api.db.pool.query('delete from mails');
  expect((await browser.gql(send, { id: alertId })).data.sendTestNotification.message).toContain('tester@example.test');
  expect(await mails()).toEqual([{ kind: 'test', user_id: id, to_address: 'tester@example.test' }]);
  expect((await browser.gql(send, { id: 99_999 })).errors[0]?.extensions.code).toBe('NOT_FOUND');
  const { browser: other } = await api.user('other');
  expect((await other.gql(send, { id: alertId })).errors[0]?.extensions.code).toBe('NOT_FOUND');
});

it('a visitor is refused every operation that needs a user', async () => {
  const visitor = makeBrowser(api.url);
  for (const query of [
    resend,
    '{ alerts { id } }',
    '{ alert(id: 1) { id } }',
    '{ listing(id: 1) { id } }',
    '{ matches { hasMore } }',
    '{ recentListings { id } }',
    '{ currentSubscription { planId } }',
    '{ canCreateAlert { alertLimit } }',
    'mutation { createAlert(input: { make: "toyota", location: "90001", radius: 50 }) { id } }',
    'mutation { updateAlert(id: 1, input: { isActive: false }) { id } }',
    'mutation { deleteAlert(id: 1) }',
    'mutation { renewAlert(id: 1) { id } }',
    'mutation { sendTestNotification(alertId: 1) { message } }',
    'mutation { markListingViewed(id: 1) { id } }',
  ]) {
    expect([query, (await visitor.gql(query)).errors[0]?.extensions.code]).toEqual([query, 'UNAUTHENTICATED']);
  }
});
