import { beforeAll, describe, expect, it } from 'vitest';
import { inDays } from '../../test/payments/fake-payments.ts';
import { setUpBuyers } from '../../test/payments/payer.ts';
import { disableOldTriggers } from '../../test/schema/triggers.ts';
import { processDuePayments } from './process-due-payments.ts';
import { storeEvent } from './store-event.ts';

const here = setUpBuyers();
beforeAll(() => disableOldTriggers(here.api.db.pool));

const create = 'mutation ($input: AlertInput!) { createAlert(input: $input) { id } }';
const input = { make: 'toyota', location: 'Los Angeles, CA', radius: 50 };
const resume = 'mutation { resumeAlerts { id isActive pausedByPlan } }';
const room =
  '{ canCreateAlert { alertsUsed alertLimit alertsToResume } currentSubscription { planId alertsToResume } }';

let events = 0;
/** Sets the subscription at Stripe, and processes an event about it. */
async function stripeSays(planId: number | null): Promise<void> {
  const customerId = `cus_${here.buyerId}`;
  const sql = 'insert into billing_customers (user_id, customer_id) values ($1, $2) on conflict do nothing';
  await here.api.db.pool.query(sql, [here.buyerId, customerId]);
  const phase = planId === null ? 'ended' : 'active';
  const paid = { id: `sub_${here.buyerId}`, itemId: 'si', planId: planId ?? 2, phase, cancels: false } as const;
  const rest = { customerId, periodEnd: inDays(30), unpaidSince: null, isRefunded: false };
  here.fake.subscriptions.set(paid.id, { ...paid, ...rest });
  await storeEvent(here.api.db.pool, { id: `evt_${++events}`, type: 'invoice.paid', objectId: null, customerId });
  await processDuePayments(here.api.billing, here.api.db.pool);
}
async function makeAlerts(count: number, more: object = {}): Promise<number[]> {
  const ids: number[] = [];
  for (let made = 0; made < count; made += 1) {
    const { data, errors } = await here.buyer.gql(create, { input: { ...input, ...more } });
    expect(errors).toEqual([]);
    ids.push(Number(data.createAlert.id));
  }
  return ids;
}
const alerts = () =>
  here.api.db.rows(
    `select a.id, is_active as active, text_notifications as texts, paused_by_plan_at is not null as paused,
              exists (select from alert_cells where user_id = $1 and alert_id = a.id) as watched,
              exists (select from alert_cells where user_id = $1 and alert_id = a.id and texts) as told
         from alerts a where user_id = $1 order by id`,
    [here.buyerId],
  );
const activeOf = async () => (await alerts()).filter(({ active }) => active).map(({ id }) => id);
const lastMail = async () =>
  await here.api.db.row('select kind, data from mails where user_id = $1 order by created_at desc limit 1', [
    here.buyerId,
  ]);

describe('a smaller plan', () => {
  it('pauses the newest alerts, deletes none, and mails the user', async () => {
    await stripeSays(3);
    const ids = await makeAlerts(8);
    await here.buyer.gql('mutation ($id: ID!) { updateAlert(id: $id, input: {isActive: false}) { id } }', {
      id: String(ids[1]),
    });
    await stripeSays(2);
    const kept = [ids[0], ...ids.slice(2, 6)];
    expect(await activeOf()).toEqual(kept);
    const after = await alerts();
    expect(after).toHaveLength(8);
    for (const { active, watched } of after) expect(watched).toBe(active);
    expect(after.filter(({ paused }) => paused).map(({ id }) => id)).toEqual(ids.slice(6));
    expect(await lastMail()).toMatchObject({
      kind: 'plan_changed',
      data: { fromPlanId: 3, toPlanId: 2, event: 'paid', paused: 2, textsOff: 0 },
    });
  });

  it('switches text messages off when it is Free', async () => {
    await stripeSays(2);
    await here.api.db.pool.query("update users set phone = '+15125550100', phone_confirmed_at = now() where id = $1", [
      here.buyerId,
    ]);
    const ids = await makeAlerts(3);
    await here.api.db.pool.query('update alerts set text_notifications = true where user_id = $1', [here.buyerId]);
    await here.api.db.pool.query('update alert_cells set texts = true where user_id = $1', [here.buyerId]);
    await stripeSays(null);
    expect(await activeOf()).toEqual(ids.slice(0, 1));
    expect((await alerts()).map(({ texts, told }) => texts || told)).toEqual([false, false, false]);
    expect(await lastMail()).toMatchObject({ data: { toPlanId: 1, event: 'ended', paused: 2, textsOff: 3 } });
  });
});

describe('an alert that a smaller plan paused', () => {
  it('is resumed on a larger plan, oldest first up to its limit, and renewed when expired', async () => {
    await stripeSays(3);
    const ids = await makeAlerts(9);
    await stripeSays(null);
    const full = await here.buyer.gql(resume);
    expect(full.errors[0]?.extensions.code).toBe('PLAN_LIMIT');
    expect((await here.buyer.gql(room)).data.canCreateAlert).toEqual({
      alertsUsed: 1,
      alertLimit: 1,
      alertsToResume: 0,
    });
    await stripeSays(2);
    expect(await lastMail()).toMatchObject({ data: { toPlanId: 2, paused: 0, toResume: 4 } });
    expect((await here.buyer.gql(room)).data).toEqual({
      canCreateAlert: { alertsUsed: 1, alertLimit: 5, alertsToResume: 4 },
      currentSubscription: { planId: '2', alertsToResume: 4 },
    });
    expect(await activeOf()).toEqual(ids.slice(0, 1));
    await here.api.db.pool.query("update alerts set expires_at = now() - interval '1 day' where id = $1", [ids[1]]);
    const { data } = await here.buyer.gql(resume);
    expect(data.resumeAlerts).toEqual(
      ids.slice(1, 5).map((id) => ({ id: String(id), isActive: true, pausedByPlan: false })),
    );
    expect(await activeOf()).toEqual(ids.slice(0, 5));
    for (const { active, watched } of await alerts()) expect(watched).toBe(active);
    expect((await here.buyer.gql(room)).data.canCreateAlert).toEqual({
      alertsUsed: 5,
      alertLimit: 5,
      alertsToResume: 0,
    });
    await stripeSays(3);
    expect((await here.buyer.gql(resume)).data.resumeAlerts).toHaveLength(4);
    expect((await here.buyer.gql(resume)).data.resumeAlerts).toEqual([]);
  });

  it('is not resumed once its user has switched it', async () => {
    await stripeSays(2);
    const [, second = 0, third = 0] = await makeAlerts(3);
    await stripeSays(null);
    await here.buyer.gql('mutation ($id: ID!) { updateAlert(id: $id, input: {isActive: false}) { id } }', {
      id: String(third),
    });
    await stripeSays(2);
    expect((await here.buyer.gql(resume)).data.resumeAlerts).toMatchObject([{ id: String(second) }]);
  });

  it('is resumed once by concurrent calls', async () => {
    await stripeSays(3);
    await makeAlerts(7);
    await stripeSays(null);
    await stripeSays(2);
    const answers = await Promise.all(Array.from({ length: 8 }, () => here.buyer.gql(resume)));
    const resumed = answers.flatMap(({ data }) => data?.resumeAlerts ?? []);
    expect([resumed.length, (await activeOf()).length]).toEqual([4, 5]);
  });
});

it('never has more active alerts than the plan allows after 100 parallel creates by GraphQL and REST', async () => {
  await stripeSays(2);
  const headers = { 'content-type': 'application/json' };
  const byRest = () => here.buyer.fetch('/api/alerts', { method: 'POST', headers, body: JSON.stringify(input) });
  const made = await Promise.all(
    Array.from({ length: 100 }, async (_, at) => {
      if (at % 2 === 0) return (await here.buyer.gql(create, { input })).errors[0]?.extensions.code ?? 'made';
      const answer = await byRest();
      return answer.status === 201 ? 'made' : ((await answer.json()) as { code: string }).code;
    }),
  );
  const counts = Map.groupBy(made, (one) => one);
  expect([...counts.keys()].sort()).toEqual(['PLAN_LIMIT', 'made']);
  expect([counts.get('made')?.length, (await activeOf()).length]).toEqual([5, 5]);
});

it('keeps within a smaller plan when alerts are created during the change', async () => {
  await stripeSays(3);
  await makeAlerts(4);
  const creating = Promise.all(Array.from({ length: 12 }, () => here.buyer.gql(create, { input })));
  await Promise.all([creating, stripeSays(null)]);
  expect(await activeOf()).toHaveLength(1);
});
