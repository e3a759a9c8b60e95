import { beforeEach, describe, expect, it } from 'vitest';
import {
  emailParts,
  insertAlert,
  insertListing,
  insertMatch,
  recordingMailer,
  sendDueMails,
} from '../../../test/mail/mail-fixtures.ts';
import { sendgridEvent, signedEvents, WEBHOOK_KEY } from '../../../test/mail/sendgrid-events.ts';
import { makeTestApi, setUpApi } from '../../../test/make-app.ts';
import { serverOfTest } from '../../../test/set-up.ts';
import { linkExpiry, signToken } from '../../domain/action-links.ts';
import { enqueueReminders } from '../../notify/enqueue-reminders.ts';

const vendor = { asked: [] as string[], status: 204 };
const SENDGRID = {
  SENDGRID_WEBHOOK_KEY: WEBHOOK_KEY,
  SENDGRID_API_KEY: 'SG.key',
  SENDGRID_API_BASE: 'http://127.0.0.1:1',
};
const api = setUpApi({ env: SENDGRID });
beforeEach(async () => {
  await api.db.pool.query('truncate suppressed_addresses, alerts, listings, matches, notifications, mails cascade');
  vendor.asked.length = 0;
  vendor.status = 204;
});

let counter = 0;
/** A buyer with an alert, whose address is theirs. */
async function buyer(at = api, user: Record<string, unknown> = {}) {
  counter += 1;
  const email = `buyer-${counter}@example.com`;
  const { browser, id } = await at.user(`buyer-${counter}`, { email });
  await api.db.pool.query('update users set email_confirmed_at = $2 where id = $1', [
    id,
    'confirmed' in user ? null : new Date(),
  ]);
  const alertId = await insertAlert(api.db.pool, id);
  return { browser, id, email, alertId };
}
type Buyer = Awaited<ReturnType<typeof buyer>>;
const match = async ({ alertId }: Buyer) => insertMatch(api.db.pool, alertId, await insertListing(api.db.pool));

async function insertMail({ id, email }: Pick<Buyer, 'id' | 'email'>, sentAt = new Date(Date.now() - 60_000)) {
  const row = await api.db.row(
    `insert into mails (kind, user_id, to_address, status, sent_at) values ('confirm', $1, $2, 'sent', $3) returning id`,
    [id, email, sentAt],
  );
  return String(row.id);
}
async function report(...events: object[]) {
  const answer = await fetch(`${api.url}/api/webhooks/sendgrid`, { method: 'POST', ...signedEvents(events) });
  expect(answer.status).toBe(200);
}
const bounce = { event: 'bounce', type: 'bounce', reason: '550 5.1.1 no such user' };
async function suppress(me: Buyer, event: Record<string, unknown> = bounce) {
  await report(sendgridEvent(await insertMail(me), me.email, event));
}
async function send() {
  const mailer = recordingMailer();
  await sendDueMails(emailParts(api.db, mailer));
  return mailer.mails.map(({ kind, to, notificationIds }) => ({ kind, to, cars: notificationIds.length }));
}
const state = async ({ browser }: Buyer) =>
  (await browser.gql('{ me { emailSuppression { reason detail } } }')).data.me.emailSuppression;
const logOf = async ({ browser }: Buyer) =>
  (await browser.gql('{ notificationLog { nodes { status reason dueAt channel } } }')).data.notificationLog.nodes;
const RESUME = 'mutation { resumeEmail { emailSuppression { reason } } }';
const resume = async ({ browser }: Buyer) => {
  const { data, errors } = await browser.gql(RESUME);
  return errors[0]?.extensions.code ?? data.resumeEmail.emailSuppression;
};
/** An API over the same database whose vendor is a server of the test. */
const withVendor = async () => {
  const url = await serverOfTest((request, response) => {
    vendor.asked.push(`${request.method} ${request.url}`);
    response.writeHead(vendor.status).end();
  });
  return makeTestApi({ db: api.db, env: { ...SENDGRID, SENDGRID_API_BASE: url } });
};

describe('an address is suppressed', () => {
  it.each([
    ['a mail came back', bounce, 'bounced', '550 5.1.1 no such user'],
    ['a mail was reported as spam', { event: 'spamreport', response: undefined }, 'complained', null],
    ['it was unsubscribed from all mails', { event: 'unsubscribe', response: undefined }, 'unsubscribed', null],
    [
      'SendGrid has it on its list of bounces',
      { event: 'dropped', reason: 'Bounced Address' },
      'bounced',
      'Bounced Address',
    ],
    [
      'SendGrid has a complaint of it',
      { event: 'dropped', reason: 'Spam Reporting Address' },
      'complained',
      'Spam Reporting Address',
    ],
  ])('%s: its cars wait, visibly, and nothing is lost', async (_what, event, reason, detail) => {
    const me = await buyer();
    const other = await buyer();
    await suppress(me, event);
    await match(me);
    await match(other);
    expect(await send()).toEqual([{ kind: 'match', to: other.email, cars: 1 }]);
    await match(me);
    expect(await send()).toEqual([]);
    expect(await state(me)).toEqual({ reason, detail });
    expect(await state(other)).toBeNull();
    expect((await logOf(me)).filter(({ channel }: { channel: string }) => channel === 'email')).toEqual([
      { channel: 'email', status: 'waiting', reason: 'suppressed', dueAt: null },
    ]);
  });

  it.each([
    ['was deferred', { event: 'deferred' }],
    ['was blocked', { event: 'bounce', type: 'blocked' }],
    ['was dropped because of the mail', { event: 'dropped', reason: 'Spam Content' }],
    ['was dropped because of our account', { event: 'dropped', reason: 'Recipient List over Package Quota' }],
    ['was opened', { event: 'open' }],
    ['left a group', { event: 'group_unsubscribe' }],
  ])('but not because a mail %s', async (_what, event) => {
    const me = await buyer();
    await suppress(me, event);
    await match(me);
    expect(await send()).toHaveLength(1);
    expect(await state(me)).toBeNull();
  });

  it('and what waits already is held at once', async () => {
    const me = await buyer();
    await api.db.pool.query('update alerts set snoozed_until = $2 where id = $1', [
      me.alertId,
      new Date(Date.now() + 86_400_000),
    ]);
    await match(me);
    expect(await send()).toEqual([]);
    expect(await logOf(me)).toMatchObject([{ reason: 'snoozed' }]);
    await suppress(me);
    expect(await send()).toEqual([]);
    expect(await logOf(me)).toMatchObject([{ reason: 'suppressed', dueAt: null }]);
  });

  it('and a mail about cars that waits to be retried stays, and leaves once it is resumed', async () => {
    const me = await buyer();
    const failing = recordingMailer(() => {
      throw new Error('no answer');
    });
    await match(me);
    await sendDueMails(emailParts(api.db, failing));
    await suppress(me);
    expect(await send()).toEqual([]);
    expect(await resume(me)).toBe('VENDOR');
    await api.db.pool.query('update suppressed_addresses set resumed_at = now()');
    await api.db.pool.query("update mails set next_try_at = now() where status = 'waiting'");
    expect(await send()).toEqual([{ kind: 'summary', to: me.email, cars: 1 }]);
  });

  it('and gets no reminder and no test mail, but a link for a new password', async () => {
    const me = await buyer();
    await api.db.pool.query("update alerts set expires_at = now() + interval '2 days'");
    await suppress(me);
    expect(await enqueueReminders(api.db.pool, true)).toBe(0);
    const test = 'mutation ($id: ID!) { sendTestNotification(alertId: $id) { message } }';
    expect((await me.browser.gql(test, { id: me.alertId })).errors[0]?.extensions.code).toBe('CONFLICT');
    await me.browser.gql('mutation ($email: String!) { requestPasswordReset(email: $email) { message } }', {
      email: me.email,
    });
    expect(await send()).toMatchObject([{ kind: 'reset', to: me.email }]);
  });

  it('and drops a reminder that was queued before', async () => {
    const me = await buyer();
    await api.db.pool.query("update alerts set expires_at = now() + interval '2 days'");
    expect(await enqueueReminders(api.db.pool, true)).toBe(1);
    await suppress(me);
    expect(await send()).toEqual([]);
    expect(await api.db.row("select status from mails where kind = 'reminder'")).toEqual({ status: 'dropped' });
  });

  it('by what its reader asked for, else by the event that came first, in any order, repeated and in one batch', async () => {
    const at = (ago: number) => ({ timestamp: Math.floor(Date.now() / 1000) - ago });
    const reasons: { reason: string }[] = [];
    for (const order of [[0], [2, 0], [0, 1, 2], [2, 1, 0], [1, 0, 2, 1], [1, 2], [2, 1]]) {
      const me = await buyer();
      const mailId = await insertMail(me, new Date(Date.now() - 600_000));
      const events = [
        sendgridEvent(mailId, me.email, { ...bounce, ...at(500) }),
        sendgridEvent(mailId, me.email, { event: 'spamreport', response: undefined, ...at(300) }),
        sendgridEvent(mailId, me.email, { event: 'dropped', reason: 'Bounced Address', ...at(100) }),
      ];
      for (const index of order) await report(events[index] ?? {});
      reasons.push(await state(me));
      await api.db.pool.query('delete from suppressed_addresses');
      await report(...order.map((index) => events[index] ?? {}));
      expect(await state(me)).toEqual(reasons.at(-1));
    }
    expect(reasons.map(({ reason }) => reason[0]).join('')).toBe('bbccccc');
  });
});

describe('resumeEmail', () => {
  it('removes the address from the lists of the vendor, and sends what waited as one summary an alert', async () => {
    const at = await withVendor();
    const me = await buyer(at);
    await suppress(me);
    await match(me);
    await match(me);
    expect(await send()).toEqual([]);
    expect(await resume(me)).toBeNull();
    expect(vendor.asked).toHaveLength(5);
    expect(vendor.asked[0]).toBe(`DELETE /v3/suppression/bounces/${encodeURIComponent(me.email)}`);
    expect(await send()).toEqual([{ kind: 'summary', to: me.email, cars: 2 }]);
    expect(await resume(me)).toBeNull();
    expect(vendor.asked).toHaveLength(5);
    await at.close();
  });

  it('changes nothing while the vendor can’t be reached', async () => {
    const at = await withVendor();
    const me = await buyer(at);
    await suppress(me);
    vendor.status = 500;
    expect(await resume(me)).toBe('VENDOR');
    expect(await state(me)).toMatchObject({ reason: 'bounced' });
    await at.close();
  });

  it('is not undone by a late or repeated event, but by a mail that comes back again; then it waits an hour', async () => {
    const at = await withVendor();
    const me = await buyer(at);
    const mailId = await insertMail(me);
    const event = sendgridEvent(mailId, me.email, { ...bounce, timestamp: Math.floor(Date.now() / 1000) - 30 });
    await report(event);
    expect(await resume(me)).toBeNull();
    await report(event, { ...event, sg_event_id: 'another' });
    expect(await state(me)).toBeNull();
    const next = await insertMail(me, new Date());
    await report(sendgridEvent(next, me.email, { ...bounce, timestamp: Math.floor(Date.now() / 1000) - 30 }));
    expect(await state(me)).toMatchObject({ reason: 'bounced' });
    const { errors } = await me.browser.gql(RESUME);
    expect(errors[0]?.extensions.code).toBe('RATE_LIMITED');
    await api.db.rows("update suppressed_addresses set resumed_at = 'yesterday' where resumed_at < now()");
    expect(await resume(me)).toBeNull();
    await at.close();
  });

  it('is not needed for another address, and the old one stays suppressed', async () => {
    const me = await buyer();
    await suppress(me);
    await match(me);
    expect(await send()).toEqual([]);
    const email = `next-${counter}@example.com`;
    const confirm = async (address: string) => {
      await me.browser.gql('mutation ($email: String) { updateProfile(input: { email: $email }) { id } }', {
        email: address,
      });
      await api.db.pool.query('delete from mails');
      const claims = {
        action: 'confirm-email',
        userId: me.id,
        email: address,
        expiresAt: linkExpiry('confirm-email', new Date()),
      } as const;
      const path = `/confirm-email/${signToken(api.linkSecret, claims)}`;
      expect((await fetch(api.url + path, { method: 'POST' })).status).toBe(200);
    };
    await confirm(email);
    expect(await state(me)).toBeNull();
    expect((await send()).filter(({ kind }) => kind === 'summary')).toEqual([{ kind: 'summary', to: email, cars: 1 }]);
    await api.db.pool.query('update users set email = $2 where id = $1', [me.id, me.email.toUpperCase()]);
    expect(await state(me)).toMatchObject({ reason: 'bounced' });
    // The vendor drops mails to the address until `resumeEmail` takes it off the vendor's list.
    await api.db.pool.query('update users set email = $2 where id = $1', [me.id, email]);
    await confirm(me.email);
    expect(await state(me)).toMatchObject({ reason: 'bounced' });
  });

  it.each([
    ['came back', bounce, 'on'],
    ['came back', bounce, 'off'],
    ['was reported as spam', { event: 'spamreport' }, 'on'],
  ])('neither shows nor ends for others that a mail %s, %o, with CONFIRM_EMAIL=%s', async (_what, event, confirms) => {
    const at = await makeTestApi({ db: api.db, env: { SENDGRID_WEBHOOK_KEY: WEBHOOK_KEY, CONFIRM_EMAIL: confirms } });
    const owner = await buyer(at);
    const other = await buyer(at, { confirmed: false });
    await api.db.pool.query('update users set email = $2 where id = $1', [other.id, owner.email]);
    await suppress(owner, event);
    expect(await state(other)).toBeNull();
    expect(await resume(other)).toBe('CONFLICT');
    expect(await resume(owner)).toBeNull();
    await at.close();
  });

  it('needs an address', async () => {
    const { browser } = await api.user('phone-only', { email: null, phone: '+12133734567' });
    expect((await browser.gql(RESUME)).errors[0]?.extensions.code).toBe('VALIDATION');
  });
});
