import { beforeEach, describe, expect, it } from 'vitest';
import { insertMatches, storeCars } from '../../test/factories.ts';
import { setUpApi } from '../../test/make-app.ts';
import { type AlertAction, signToken, type TokenClaims } from '../domain/action-links.ts';

const api = setUpApi();
let user: Awaited<ReturnType<typeof api.user>>;
let alertId: number;
let people = 0;

const rows = (sql: string, values: unknown[] = [alertId]) => api.db.rows(sql, values);
const matchCount = async () =>
  (await user.browser.gql(`{ alert(id: ${alertId}) { matchCount } }`)).data.alert.matchCount;

beforeEach(async () => {
  user = await api.user(`mailed-${++people}`);
  const input = { make: 'toyota', model: 'camry', location: 'Los Angeles, CA', radius: 50 };
  const { data } = await user.browser.gql('mutation ($input: AlertInput!) { createAlert(input: $input) { id } }', {
    input,
  });
  alertId = Number(data.createAlert.id);
  await api.db.pool.query('update alerts set pending_match = false');
});

const open = (claims: TokenClaims, choice?: string) =>
  fetch(`${api.url}/m/${signToken(api.linkSecret, { ...claims, expiresAt: null })}`, {
    method: 'POST',
    body: new URLSearchParams(choice === undefined ? {} : { choice }),
  });
const press = async (action: AlertAction, choice?: string, userId = user.id) => {
  const answer = await open({ action, alertId, userId }, choice);
  return { status: answer.status, page: await answer.text() };
};

async function waiting(): Promise<void> {
  const [listingId = 0] = await storeCars(api.db.pool, [{}]);
  await insertMatches(api.db.pool, alertId, [listingId]);
  await api.db.pool.query(
    `insert into notifications (user_id, alert_id, listing_id, due_at, held_by)
     values ($1, $2, $3, now() + interval '1 day', 'snoozed')`,
    [user.id, alertId, listingId],
  );
}

it('a link that has confirmed an address releases and syncs nothing when it is used again', async () => {
  const email = `${people}@example.com`;
  await api.db.pool.query('update users set email = $2, email_confirmed_at = null where id = $1', [user.id, email]);
  const confirm = () =>
    fetch(
      `${api.url}/confirm-email/${signToken(api.linkSecret, { action: 'confirm-email', userId: user.id, email, expiresAt: null })}`,
      { method: 'POST' },
    );
  const isDue = () => rows('select due_at <= now() as due from notifications where alert_id = $1');
  await waiting();
  expect((await confirm()).status).toBe(200);
  expect(await isDue()).toEqual([{ due: true }]);
  const [before] = await rows('select u.*, u.xmin from users u where id = $1', [user.id]);
  await api.db.pool.query("update notifications set due_at = now() + interval '1 day' where alert_id = $1", [alertId]);
  expect((await confirm()).status).toBe(200);
  expect(await isDue()).toEqual([{ due: false }]);
  expect(await rows('select u.*, u.xmin from users u where id = $1', [user.id])).toEqual([before]);
});

describe('the page "fewer mails"', () => {
  it.each([
    ['daily', { delivery: 'daily', max_mails_per_day: null, is_active: true }],
    ['few', { delivery: 'instant', max_mails_per_day: 3, is_active: true }],
    ['pause', { is_active: false }],
  ])('changes the alert, and what waits is decided again: %s', async (choice, expected) => {
    await waiting();
    expect(await press('fewer', choice)).toMatchObject({ status: 200 });
    expect((await rows('select * from alerts where id = $1'))[0]).toMatchObject(expected);
    if (choice === 'pause') return;
    expect(await rows('select due_at <= now() as due from notifications where alert_id = $1')).toEqual([{ due: true }]);
  });

  it('snoozes for as many days as were pressed, and ends that', async () => {
    const until = async () =>
      (
        await rows('select extract(epoch from snoozed_until - now())::float8 / 86400 as days from alerts where id = $1')
      )[0].days;
    const { page } = await press('fewer', 'snooze-3');
    expect(page).toContain('Snoozed for 3 days');
    expect(await until()).toBeCloseTo(3, 2);
    expect(page).toContain('End the snooze');
    await press('fewer', 'wake');
    expect(await until()).toBeNull();
  });

  it('does nothing for somebody else', async () => {
    const other = await api.user(`other-${people}`);
    expect(await press('fewer', 'daily', other.id)).toMatchObject({ status: 410 });
    expect((await rows('select delivery from alerts where id = $1'))[0]).toEqual({ delivery: 'instant' });
  });
});

it('the link "one mail a day" makes the alert a daily digest, and back', async () => {
  expect((await press('daily')).page).toContain('One mail a day from now on');
  expect((await rows('select delivery from alerts where id = $1'))[0]).toEqual({ delivery: 'daily' });
  expect((await press('daily', 'at-once')).page).toContain('Mails come at once again');
  expect((await rows('select delivery from alerts where id = $1'))[0]).toEqual({ delivery: 'instant' });
});

it('the log of notifications says that a car was hidden before its message left', async () => {
  await waiting();
  const [row] = await rows('select listing_id from notifications where alert_id = $1');
  await open({ action: 'dismiss', alertId, userId: user.id, listingId: Number(row.listing_id) });
  const { data } = await user.browser.gql('{ notificationLog { nodes { status reason } } }');
  expect(data.notificationLog.nodes).toEqual([{ status: 'dropped', reason: 'dismissed' }]);
});

it('the link "not this car" hides the car from the alert, and undoes it', async () => {
  const ids = await storeCars(api.db.pool, [{}, {}]);
  await insertMatches(api.db.pool, alertId, ids);
  expect(await matchCount()).toBe(2);
  const claims = { action: 'dismiss', alertId, userId: user.id, listingId: ids[0] ?? 0 } as const;
  const hidden = await open(claims);
  expect([hidden.status, (await hidden.text()).includes('Car hidden')]).toEqual([200, true]);
  expect(await matchCount()).toBe(1);
  const shown = await open(claims, 'undo');
  expect([shown.status, (await shown.text()).includes('Car shown again')]).toEqual([200, true]);
  expect(await matchCount()).toBe(2);
  const other = await api.user(`other-${people}`);
  expect((await open({ ...claims, userId: other.id })).status).toBe(410);
  expect(await matchCount()).toBe(2);
});
