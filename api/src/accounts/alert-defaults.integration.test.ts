import { beforeEach, expect, it, test } from 'vitest';
import type { Browser } from '../../test/browser.ts';
import { setUpApi } from '../../test/make-app.ts';

const api = setUpApi();
let browser: Browser;
let userId: number;
let people = 0;

beforeEach(async () => {
  people += 1;
  ({ browser, id: userId } = await api.user(`defaults-${people}`));
});

const fields = `alertDefaults { emailNotifications textNotifications pushNotifications delivery digestHour
  quietHours { from to days } maxMailsPerDay priceDrops }`;
const untouched = {
  emailNotifications: true,
  textNotifications: false,
  pushNotifications: false,
  delivery: 'instant',
  digestHour: 8,
  quietHours: null,
  maxMailsPerDay: null,
  priceDrops: true,
};
const night = { from: '22:00', to: '07:00', days: [1, 2] };

const update = (input: object) =>
  browser.gql(`mutation ($input: AlertDefaultsInput!) { updateAlertDefaults(input: $input) { ${fields} } }`, { input });
const read = async () => (await browser.gql(`{ me { ${fields} } }`)).data?.me.alertDefaults;
const putOnPlan = (plan: number) => api.db.pool.query('update users set plan_id = $2 where id = $1', [userId, plan]);

it("are the API's defaults until the user chooses, and then keep what a change leaves out", async () => {
  expect(await read()).toEqual(untouched);
  expect((await update({ delivery: 'daily', quietHours: night })).data?.updateAlertDefaults.alertDefaults).toEqual({
    ...untouched,
    delivery: 'daily',
    quietHours: night,
  });
  await update({ digestHour: 18, maxMailsPerDay: 5 });
  expect(await read()).toEqual({
    ...untouched,
    delivery: 'daily',
    digestHour: 18,
    quietHours: night,
    maxMailsPerDay: 5,
  });
  await update({ delivery: null, digestHour: null, quietHours: null, maxMailsPerDay: null });
  expect(await read()).toEqual(untouched);
});

test.each([
  ['digestHour', { digestHour: 24 }],
  ['maxMailsPerDay', { maxMailsPerDay: 0 }],
  ['quietHours', { quietHours: { ...night, days: [] } }],
  ['quietHours', { quietHours: { from: '0:00', to: '07:00', days: [1] } }],
  ['quietHours', { quietHours: { from: '07:00', to: '07:00', days: [0, 1, 2, 3, 4, 5, 6] } }],
])('refuse a wrong %s, and keep what was stored: %j', async (name, input) => {
  await update({ delivery: 'daily' });
  const { errors } = await update({ priceDrops: false, ...input });
  expect(errors?.[0]?.extensions).toMatchObject({ code: 'VALIDATION', fields: { [name]: expect.any(String) } });
  expect(await read()).toEqual({ ...untouched, delivery: 'daily' });
});

it('have text messages on a paid plan only, and can be changed and emptied of them after it ended', async () => {
  expect((await update({ textNotifications: true })).errors?.[0]?.extensions).toMatchObject({
    code: 'PLAN_REQUIRED',
    needsUpgrade: true,
  });
  await putOnPlan(2);
  await update({ textNotifications: true });
  await putOnPlan(1);
  expect((await update({ digestHour: 7 })).data?.updateAlertDefaults.alertDefaults).toMatchObject({
    textNotifications: true,
    digestHour: 7,
  });
  await update({ textNotifications: false });
  expect(await read()).toEqual({ ...untouched, digestHour: 7 });
});

it('are of one account, and no call that creates an alert reads them', async () => {
  const other = await api.user(`defaults-${people}-other`);
  await update({ delivery: 'daily', emailNotifications: false });
  expect((await other.browser.gql(`{ me { ${fields} } }`)).data?.me.alertDefaults).toEqual(untouched);
  const id = await browser.createAlert();
  const { data } = await browser.gql(`{ alert(id: ${id}) { delivery emailNotifications } }`);
  expect(data?.alert).toEqual({ delivery: 'instant', emailNotifications: true });
});
