import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Browser } from '../../test/browser.ts';
import { makeTestApi, type TestApi } from '../../test/make-app.ts';
import { type FakePayments, makeFakePayments } from '../../test/payments/fake-payments.ts';
import { alertsOf, databaseColumns, databaseTexts, numberedRows } from '../../test/rights/database-texts.ts';
import { makeUserWithAllData, type UserWithAllData } from '../../test/rights/user-with-all-data.ts';
import { disableOldTriggers } from '../../test/schema/triggers.ts';
import { processDuePayments } from '../billing/process-due-payments.ts';
import { impersonalTables } from './impersonal-tables.ts';
import { columnsIn, type PersonalTable } from './personal-table.ts';
import { personalTables } from './personal-tables.ts';

let api: TestApi;
let payments: FakePayments;
let admin: Browser;
let person: UserWithAllData;
let other: UserWithAllData;
beforeAll(async () => {
  payments = makeFakePayments();
  api = await makeTestApi({ payments, env: { RATE_LIMITS: 'on', RATE_REGISTRATIONS_PER_ADDRESS: '1000' } });
  await api.db.pool.query('update plans set alert_limit = 10 where id = 1');
  await disableOldTriggers(api.db.pool);
  person = await makeUserWithAllData(api, 'zqleaver');
  other = await makeUserWithAllData(api, 'zqstayer');
  admin = await api.admin();
});
afterAll(() => api.close());

const textsWith = async (marks: readonly string[]) =>
  (await databaseTexts(api.db.pool)).filter((text) => marks.some((mark) => text.includes(mark)));
const exportOf = async (one: UserWithAllData) => (await one.browser.gql('mutation { exportMyData }')).data.exportMyData;

describe('every table and column', () => {
  const known: PersonalTable[] = Object.values(personalTables);

  it('is either exported or left out with a reason', async () => {
    const columns = await databaseColumns(api.db.pool);
    const undecided: string[] = [];
    for (const [table, names] of columns) {
      const personal = known.find((one) => one.table === table);
      if (!personal && !impersonalTables[table]) undecided.push(table);
      if (!personal) continue;
      const { exported, expressions = {}, leftOut } = personal;
      const decided = [...columnsIn([exported, ...Object.values(leftOut)].join(' ')), ...Object.keys(expressions)];
      undecided.push(...names.filter((name) => !decided.includes(name)).map((name) => `${table}.${name}`));
      undecided.push(...decided.filter((name) => !names.includes(name)).map((name) => `${table}.${name} is not there`));
    }
    expect(undecided).toEqual([]);
  });

  it('has a row of the person who is exported and erased in these tests', async () => {
    const empty: string[] = [];
    for (const { table } of known) {
      const rows = await api.db.rows(`select 1 from ${table} limit 1`);
      if (rows.length === 0) empty.push(table);
    }
    expect(empty).toEqual([]);
  });
});

describe('an export', () => {
  it('holds everything of the person, and nothing of anybody else', async () => {
    const exported = await exportOf(person);
    const text = JSON.stringify(exported);
    // Their address is not confirmed yet.
    expect(person.given.filter((mark) => !text.includes(mark))).toEqual(['zqleaver-suppressed-detail']);
    expect(person.secrets.slice(0, 4).filter((secret) => text.includes(secret))).toEqual([]);
    expect(text).not.toContain('zqstayer');
    expect(exported).toMatchObject({
      profile: { id: person.id, username: 'zqleaver-name', timeZone: 'America/New_York' },
      plan: { id: 1, name: 'Free' },
      alerts: [
        {
          id: person.alertId,
          make: 'toyota',
          model: 'camry',
          yearMin: 2001,
          yearMax: 2019,
          priceMin: 101,
          priceMax: 19019,
        },
      ],
      matches: [{ alertId: person.alertId, listing: { title: 'Car of zqleaver', price: 15_400 }, announced: true }],
      listingViews: [{ listingId: person.listingId }],
      savedListings: [{ listingId: person.listingId }],
      sessions: [{ expiresAt: expect.stringContaining('T') }],
    });
    const [match] = exported.matches;
    expect(match.viewedAt).toEqual(exported.listingViews[0].viewedAt);
    expect(match.mailedAt).toEqual(expect.stringContaining('T'));
    expect(exported.notifications.map(({ status }: { status: string }) => status)).toEqual(['sent', 'waiting', 'sent']);
    expect(exported.mails.map(({ kind }: { kind: string }) => kind).sort()).toEqual([
      'address_changed',
      'contact',
      'key_changed',
      'match',
      'match',
      'reset',
    ]);
  });

  it('holds messages that were sent without signing in, and why the address is suppressed, when it is confirmed', async () => {
    expect(JSON.stringify(await exportOf(person))).not.toContain('zqleaver-unsigned-subject');
    await api.db.pool.query('update users set email_confirmed_at = now() where id = $1', [person.id]);
    const { contactMessages, suppressedAddresses } = await exportOf(person);
    expect(suppressedAddresses).toMatchObject([{ detail: 'zqleaver-suppressed-detail' }]);
    expect(contactMessages.map(({ subject }: { subject: string }) => subject)).toEqual([
      'zqleaver-contact-subject',
      'zqleaver-unsigned-subject',
    ]);
  });

  it('is rate limited', async () => {
    const codes: unknown[] = [];
    for (let times = 0; times < 5; times += 1) {
      codes.push((await other.browser.gql('mutation { exportMyData }')).errors[0]?.extensions.code);
    }
    expect(codes.slice(0, 5)).toEqual([undefined, undefined, undefined, undefined, undefined]);
    const refused = await other.browser.gql('mutation { exportMyData }');
    expect([refused.status, refused.errors[0]?.extensions.code]).toEqual([429, 'RATE_LIMITED']);
  });
});

describe('an erasure', () => {
  it('deletes every row of the person, and no others', async () => {
    const marks = [...person.given, ...person.secrets];
    expect((await textsWith(marks)).length).toBeGreaterThanOrEqual(15);
    const ofOther = await textsWith([...other.given, ...other.secrets, 'zqstayer']);
    const { pool } = api.db;
    const alerts = { person: await alertsOf(pool, person.id), other: await alertsOf(pool, other.id) };
    const rowsOfOther = await numberedRows(pool, other.id, alerts.other);
    expect(await numberedRows(pool, person.id, alerts.person)).toEqual(rowsOfOther);
    const { data } = await person.browser.gql('{ myDeletionRequests { requestId status } }');
    const { requestId } = data.myDeletionRequests[0];
    const approve = 'mutation ($id: ID!) { updateDeletionRequest(requestId: $id, status: approved) { status } }';
    expect((await admin.gql(approve, { id: requestId })).errors).toEqual([]);
    const execute = 'mutation ($id: ID!) { executeDeletion(userId: $id) { message } }';
    const answer = await admin.gql(execute, { id: String(person.id) });
    expect(answer.errors).toEqual([]);
    expect(answer.data.executeDeletion.message).toContain(`deleted user ${person.id}`);

    // The customer is known until it is deleted at Stripe, which may be unavailable.
    const customer = 'zqleaver-customer';
    payments.customers.add(customer);
    payments.fault = 'silent';
    await processDuePayments(api.billing, pool);
    expect(await textsWith(marks)).toEqual([expect.stringContaining(customer)]);
    payments.fault = null;
    await pool.query('update customer_deletions set next_try_at = now()');
    await processDuePayments(api.billing, pool);
    expect(payments.customers.has(customer)).toBe(false);
    expect(await textsWith(marks)).toEqual([]);
    expect(await numberedRows(pool, person.id, alerts.person)).toEqual({ deletion_requests: 2 });
    expect(await numberedRows(pool, other.id, alerts.other)).toEqual(rowsOfOther);
    expect((await textsWith(['zqleaver'])).filter((text) => !text.startsWith('public.listings:'))).toEqual([]);
    expect(await textsWith([...other.given, ...other.secrets, 'zqstayer'])).toEqual(ofOther);
    const left = await api.db.rows(
      `select 'deletion_requests' as place, status, username, reason, notes from deletion_requests where user_id = $1
       order by status`,
      [person.id],
    );
    expect(left).toEqual(
      ['completed', 'rejected'].map((status) => ({
        place: 'deletion_requests',
        status,
        username: null,
        reason: null,
        notes: null,
      })),
    );
    const acts = await api.db.rows(
      "select action, subject, outcome from audit_log where action like 'deletion-request.%' order by id",
    );
    const erased = 'deletion-request.execute';
    expect(acts).toEqual([
      { action: 'deletion-request.update', subject: `deletion request ${requestId}`, outcome: 'approved' },
      { action: erased, subject: `user ${person.id}`, outcome: 'done' },
      { action: erased, subject: `deletion request ${requestId}`, outcome: 'completed' },
    ]);
    expect((await person.browser.gql('{ me { id } }')).data.me).toBeNull();
    expect((await other.browser.gql('{ me { id } }')).data.me).toEqual({ id: String(other.id) });
  });
});

it('an erasure leaves what the reader of an address asked for, which the account only typed', async () => {
  const typed = await makeUserWithAllData(api, 'zqtyper');
  await api.db.pool.query(
    "update suppressed_addresses set reason = 'complained' where detail = 'zqtyper-suppressed-detail'",
  );
  const approve = 'mutation ($id: ID!) { updateDeletionRequest(requestId: $id, status: approved) { status } }';
  const { data } = await typed.browser.gql('{ myDeletionRequests { requestId status } }');
  await admin.gql(approve, { id: data.myDeletionRequests[0].requestId });
  const answer = await admin.gql('mutation ($id: ID!) { executeDeletion(userId: $id) { message } }', {
    id: String(typed.id),
  });
  expect(answer.errors).toEqual([]);
  expect(await textsWith(['zqtyper-suppressed-detail'])).toHaveLength(1);
});
