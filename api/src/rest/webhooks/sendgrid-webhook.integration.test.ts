import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { insertAlert, insertListing, insertMatch, insertUser } from '../../../test/mail/mail-fixtures.ts';
import { sendgridEvent, signedEvents, WEBHOOK_KEY } from '../../../test/mail/sendgrid-events.ts';
import { makeTestApi, setUpApi } from '../../../test/make-app.ts';
import { openPost } from '../../../test/raw-socket.ts';
import { disableOldTriggers } from '../../../test/schema/triggers.ts';
import { NOBODY } from '../../domain/mail-kinds.ts';

const PATH = '/api/webhooks/sendgrid';
const api = setUpApi({ env: { SENDGRID_WEBHOOK_KEY: WEBHOOK_KEY, RATE_LIMITS: 'on', RATE_REQUESTS_PER_USER: '3' } });
beforeAll(() => disableOldTriggers(api.db.pool));
beforeEach(() => api.db.pool.query('delete from mails'));

const TO = 'ada@example.com';
async function insertMail(more: { to?: string; userId?: number; sentAt?: Date } = {}): Promise<string> {
  const { rows } = await api.db.pool.query<{ id: string }>(
    `insert into mails (kind, user_id, to_address, status, sent_at) values ('match', $1, $2, 'sent', $3) returning id`,
    [more.userId ?? NOBODY, more.to ?? TO, more.sentAt ?? new Date(Date.now() - 60_000)],
  );
  return rows[0]?.id ?? '';
}
async function post({ body, headers }: { body: string | Buffer; headers: Record<string, string> }) {
  const answer = await fetch(api.url + PATH, { method: 'POST', headers, body: body as BodyInit });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}
const report = (...events: unknown[]) => post(signedEvents(events));
const deliveries = () => api.db.rows('select delivered_at as at, delivery_error as error from mails order by id');
const deliveredMs = async () =>
  Number((await api.db.row('select extract(epoch from delivered_at)::float8 * 1000 as ms from mails')).ms);
const events = () => api.db.rows('select mail_id, kind, reason from mail_events order by kind');
const seconds = (ms: number) => Math.floor((Date.now() + ms) / 1000);

describe('the signature', () => {
  it('authorizes without a session, an Origin or a rate limit', async () => {
    const mailId = await insertMail();
    for (let times = 0; times < 6; times += 1) {
      const { body, headers } = signedEvents([sendgridEvent(mailId, TO)]);
      const answer = await post({ body, headers: { ...headers, origin: 'https://evil.example', cookie: 'a=b' } });
      expect(answer).toEqual({ status: 200, body: { received: 1, recorded: 1 } });
    }
  });

  const other = generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey;
  const signature = 'x-twilio-email-event-webhook-signature';
  const timestamp = 'x-twilio-email-event-webhook-timestamp';
  type Signed = ReturnType<typeof signedEvents>;
  it.each<[string, (item: object) => { body: string | Buffer; headers: Record<string, string> }]>([
    ['signed with another key', (item) => signedEvents([item], { key: other })],
    ['signed more than a day ago', (item) => signedEvents([item], { at: new Date(Date.now() - 26 * 3_600_000) })],
    ['signed for the next hour', (item) => signedEvents([item], { at: new Date(Date.now() + 3_600_000) })],
    ['not signed', (item) => ({ body: signedEvents([item]).body, headers: {} })],
    ['signed with nothing', (item) => changed(signedEvents([item]), { [signature]: '' })],
    ['signed with rubbish', (item) => changed(signedEvents([item]), { [signature]: 'AAAA' })],
    ['signed at another second', (item) => changed(signedEvents([item]), { [timestamp]: String(seconds(-2000)) })],
    ['signed at no time', (item) => changed(signedEvents([item]), { [timestamp]: 'now' })],
    ['longer by a space', (item) => ({ ...signedEvents([item]), body: `${signedEvents([item]).body} ` })],
    ['another', (item) => ({ ...signedEvents([item]), body: JSON.stringify([{ ...item, event: 'bounce' }]) })],
    ['empty', (item) => ({ ...signedEvents([item]), body: '' })],
  ])('refuses what is %s, and writes nothing', async (_what, make) => {
    const mailId = await insertMail();
    expect(await post(make(sendgridEvent(mailId, TO)))).toMatchObject({ status: 400, body: { code: 'VALIDATION' } });
    expect(await deliveries()).toEqual([{ at: null, error: null }]);
    expect(await events()).toEqual([]);
  });
  const changed = ({ body, headers }: Signed, more: Record<string, string>) => ({
    body,
    headers: { ...headers, ...more },
  });

  it('is accepted for a day, in which SendGrid repeats a batch, and a replay changes nothing', async () => {
    const batch = signedEvents([sendgridEvent(await insertMail(), TO)], { at: new Date(Date.now() - 23 * 3_600_000) });
    expect(await post(batch)).toEqual({ status: 200, body: { received: 1, recorded: 1 } });
    expect(await post(batch)).toEqual({ status: 200, body: { received: 1, recorded: 0 } });
    expect(await events()).toHaveLength(1);
  });

  it('does not make a body acceptable that is no array, too long or compressed', async () => {
    for (const body of ['{}', 'x', '', 'null', '[']) {
      expect(await post(signedEvents(body))).toMatchObject({ status: 400, body: { code: 'MALFORMED' } });
    }
    expect(await post(signedEvents('x'.repeat(1_048_577)))).toMatchObject({ status: 413, body: { code: 'TOO_LARGE' } });
    const largestBatch = signedEvents('x'.repeat(768 * 1024));
    expect(await post(largestBatch)).toMatchObject({ status: 400, body: { code: 'MALFORMED' } });
    const { body, headers } = signedEvents('[]');
    const compressed = { body: gzipSync(body), headers: { ...headers, 'content-encoding': 'gzip' } };
    expect((await post(compressed)).status).toBe(415);
    expect(await post(signedEvents('[]'))).toEqual({ status: 200, body: { received: 0, recorded: 0 } });
    expect((await fetch(api.url + PATH)).status).toBe(405);
  });

  it.each([
    ['without a signature', {}],
    ['that is too old', { [timestamp]: String(seconds(-26 * 3_600_000)), [signature]: 'AAAA' }],
  ])('%s is refused before its body is read', async (_what, headers) => {
    const answer = await text(openPost(api, PATH, { ...headers, 'content-length': '1000000' }));
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('Connection: close');
  });

  const openBody = () =>
    openPost(api, PATH, { [timestamp]: String(seconds(0)), [signature]: 'AAAA', 'content-length': '1000000' });
  it('limits the bodies that a network sends at once, and admits more after them', async () => {
    const open = Array.from({ length: 16 }, openBody);
    // A report that is being recorded takes a place too, and may keep one of these out: another comes once it is recorded.
    const tryAgain = async () => {
      const { status, headers } = await fetch(api.url + PATH, { method: 'POST', ...signedEvents('[]') });
      if (status !== 503) open.push(openBody());
      return [status, headers.get('retry-after')];
    };
    await expect.poll(tryAgain, { timeout: 20_000 }).toEqual([503, '5']);
    expect(open.length, 'bodies, not as many as of all networks').toBeLessThan(48);
    for (const socket of open) socket.destroy();
    await expect.poll(async () => (await post(signedEvents('[]'))).status, { timeout: 20_000 }).toBe(200);
  });

  it('of a body that does not arrive is not waited for', async () => {
    const answers = await Promise.all(Array.from({ length: 16 }, () => text(openBody())));
    expect(answers.filter((answer) => !/^HTTP\/1\.1 400 [\s\S]*did not arrive/.test(answer))).toEqual([]);
    expect((await post(signedEvents('[]'))).status).toBe(200);
  });

  it('is asked of nobody where no key is set: there is no such path', async () => {
    const bare = await makeTestApi({ db: api.db });
    const answer = await fetch(bare.url + PATH, { method: 'POST', ...signedEvents([]) });
    expect(answer.status).toBe(404);
    await bare.close();
  });
});

describe('an event', () => {
  it('says when a mail was delivered', async () => {
    const mailId = await insertMail();
    const timestamp = seconds(-30_000);
    await report(sendgridEvent(mailId, TO.toUpperCase(), { timestamp }));
    expect(await deliveries()).toEqual([{ at: new Date(timestamp * 1000), error: null }]);
    expect(await events()).toEqual([{ mail_id: mailId, kind: 'delivered', reason: '250 OK' }]);
  });

  it('has no time before the mail was sent, as it counts whole seconds, and none in the future', async () => {
    const sentAt = new Date(Date.now() - 20_000);
    const [early] = [await insertMail({ sentAt })];
    await report(sendgridEvent(early, TO, { timestamp: Math.floor(sentAt.getTime() / 1000) - 5 }));
    expect((await deliveries())[0]?.at).toEqual(sentAt);
    await api.db.pool.query('delete from mails');
    const late = await insertMail();
    await report(sendgridEvent(late, TO, { timestamp: seconds(86_400_000) }));
    expect(await deliveredMs()).toBeLessThanOrEqual(Date.now() + 1000);
  });

  it('that is repeated is recorded once', async () => {
    const mailId = await insertMail();
    const event = sendgridEvent(mailId, TO, { timestamp: seconds(-30_000) });
    expect((await report(event, event)).body).toEqual({ received: 2, recorded: 1 });
    const { at } = (await deliveries())[0] ?? {};
    expect((await report({ ...event, timestamp: seconds(0) })).body).toEqual({ received: 1, recorded: 0 });
    expect(await deliveries()).toEqual([{ at, error: null }]);
  });

  it('is recorded together with those about mails of many others', async () => {
    const mailIds: string[] = [];
    for (let at = 0; at < 12; at += 1) mailIds.push(await insertMail({ userId: await insertUser(api.db.pool) }));
    const delivered = mailIds.map((mailId) => sendgridEvent(mailId, TO, { timestamp: seconds(0) }));
    const bounced = sendgridEvent(mailIds[0] ?? '', TO, { event: 'bounce', reason: '550 no such user' });
    expect((await report(...delivered, bounced)).body).toEqual({ received: 13, recorded: 13 });
    const returned = (await deliveries()).filter(({ at }) => at === null);
    expect(returned).toEqual([{ at: null, error: '550 no such user' }]);
  });

  it('that says nothing about the address leaves the mail as it is, and is counted', async () => {
    const mailId = await insertMail();
    const bounce = { event: 'bounce', type: 'blocked', reason: '421 try later' };
    await report(sendgridEvent(mailId, TO, { event: 'deferred' }), sendgridEvent(mailId, TO, bounce));
    expect(await deliveries()).toEqual([{ at: null, error: null }]);
    expect((await events()).map(({ kind }) => kind)).toEqual(['blocked', 'deferred']);
  });

  it.each([
    ['unknown', { event: 'processed' }],
    ['about opening a mail', { event: 'open' }],
    ['named like a property of every object', { event: 'constructor' }],
    ['of another sender', { lotwatch_id: undefined }],
    ['of a mail that is not ours', { lotwatch_id: randomUUID() }],
    ['of no mail', { lotwatch_id: "1' or 1=1" }],
    ['to another address', { email: 'eve@example.com' }],
    ['without an id', { sg_event_id: '' }],
    ['with a very long id', { sg_event_id: 'x'.repeat(5000) }],
    ['without a time', { timestamp: 'soon' }],
    ['of the year 60000', { timestamp: 1_831_000_000_000 }],
    ['with a list for an address', { email: [TO] }],
  ])('%s is ignored, and the events after it are recorded', async (_what, more) => {
    const mailId = await insertMail();
    const answer = await report(
      sendgridEvent(mailId, TO, { event: 'bounce', ...more }),
      sendgridEvent(mailId, TO, { timestamp: seconds(0) }),
    );
    expect(answer).toMatchObject({ status: 200, body: { recorded: 1 } });
    expect(await deliveries()).toMatchObject([{ at: expect.any(Date), error: null }]);
  });

  it('that is broken never stops the others', async () => {
    const mailId = await insertMail();
    const noEvents = [null, 7, 'x', [], [[]], {}, { event: {} }, { __proto__: null }];
    const broken = [...noEvents, { ...sendgridEvent(mailId, TO), event: 5 }];
    const hostile = sendgridEvent(mailId, TO, {
      event: 'bounce',
      sg_event_id: 'nul\0\ud800',
      reason: `550 \0\u001b[31m${'x'.repeat(100_000)}`,
    });
    expect((await report(...broken, hostile, ...broken)).body).toEqual({ received: 1, recorded: 1 });
    const [{ error } = {}] = await deliveries();
    expect(error).toMatch(/^550 \\u0000\\u001b\[31mx+$/);
    expect(String(error).length).toBeLessThanOrEqual(500);
  });

  it('is one of two thousand of a batch', async () => {
    const mailIds = await Promise.all(Array.from({ length: 20 }, () => insertMail()));
    const batch = Array.from({ length: 2000 }, (_, at) => sendgridEvent(mailIds[at % 20] ?? '', TO));
    expect((await report(...batch)).body).toEqual({ received: 2000, recorded: 2000 });
    expect((await deliveries()).every(({ at }) => at !== null)).toBe(true);
  });

  it('about a mail to the former address of an account counts for its current one too', async () => {
    const userId = await insertUser(api.db.pool, { email: 'now@example.com' });
    const mailId = await insertMail({ to: 'before@example.com', userId });
    await report(sendgridEvent(mailId, 'now@example.com'));
    expect((await deliveries())[0]?.at).not.toBeNull();
  });
});

describe('several events of a mail', () => {
  const at = (ago: number) => ({ timestamp: seconds(-ago) });
  const delivered = (mailId: string) => sendgridEvent(mailId, TO, at(40_000));
  const later = (mailId: string) => sendgridEvent(mailId, TO, at(20_000));
  const bounced = (mailId: string) => sendgridEvent(mailId, TO, { event: 'bounce', reason: '550 gone', ...at(30_000) });
  const deferred = (mailId: string) => sendgridEvent(mailId, TO, { event: 'deferred', ...at(50_000) });
  const spam = (mailId: string) => sendgridEvent(mailId, TO, { event: 'spamreport', ...at(10_000) });
  type Make = typeof delivered;

  it.each<[string, Make[], { at: unknown; error: string | null }]>([
    ['delivered after a deferral', [deferred, delivered], { at: expect.any(Date), error: null }],
    ['delivered, and delivered again', [delivered, later], { at: expect.any(Date), error: null }],
    ['accepted, and returned later', [delivered, bounced], { at: null, error: '550 gone' }],
    ['returned, and delivered by another try', [bounced, later], { at: null, error: '550 gone' }],
    ['delivered, and reported as spam', [delivered, spam], { at: expect.any(Date), error: null }],
  ])('%s: the same in every order, at once or one by one, and repeated', async (_what, makes, expected) => {
    const results = new Set<string>();
    const orders = [makes, makes.toReversed()];
    for (const order of orders) {
      for (const isBatch of [true, false]) {
        const mailId = await insertMail({ sentAt: new Date(Date.now() - 100_000) });
        const reports = order.map((make) => make(mailId));
        if (isBatch) await report(...reports);
        else for (const one of reports) await report(one);
        await Promise.all(reports.map((one) => report(one)));
        const [row] = await deliveries();
        expect(row).toEqual(expected);
        results.add(JSON.stringify([row?.error, row?.at ? (row.at as Date).getTime() - Date.now() > -45_000 : null]));
        await api.db.pool.query('delete from mails');
      }
    }
    expect(results.size).toBe(1);
  });

  it('that come in many batches at once are all recorded, without a deadlock', async () => {
    const mailIds = await Promise.all(Array.from({ length: 30 }, () => insertMail()));
    const batches = Array.from({ length: 12 }, (_, batch) => {
      const ids = batch % 2 === 0 ? mailIds : mailIds.toReversed();
      return ids.map((id) => ({ ...delivered(id), sg_event_id: `${id}-${batch % 4}` }));
    });
    const answers = await Promise.all(batches.map((batch) => report(...batch)));
    expect(answers.map(({ status }) => status)).toEqual(batches.map(() => 200));
    expect(answers.reduce((sum, { body }) => sum + Number(body.recorded), 0)).toBe(30 * 4);
    expect((await deliveries()).every((row) => row.at !== null)).toBe(true);
  });
});

it('the receipt of a match says when its message was delivered, and so does the log', async () => {
  const { browser, id } = await api.user('receiver', { email: TO });
  const alertId = await insertAlert(api.db.pool, id);
  const mailId = await insertMail({ userId: id });
  await api.db.pool.query('update mails set alert_id = $1', [alertId]);
  await insertMatch(api.db.pool, alertId, await insertListing(api.db.pool), { mail_id: mailId, status: 'sent' });
  await report(sendgridEvent(mailId, TO, { timestamp: seconds(-5000) }));
  const deliveredAt = new Date(await deliveredMs()).toISOString();
  const read = async () => {
    await api.db.pool.query('delete from rate_limits');
    return browser.gql(
      `{ matches(alertId: ${alertId}) { nodes { receipt { handedOverAt deliveredAt } } }
         notificationLog { nodes { channel status reason deliveredAt } } }`,
    );
  };
  // A match is shown once every older transaction of the server has ended, and other tests run some.
  await expect.poll(async () => (await read()).data.matches.nodes.length, { timeout: 20_000 }).toBe(1);
  const { data } = await read();
  expect(data.matches.nodes).toMatchObject([{ receipt: { handedOverAt: expect.any(String), deliveredAt } }]);
  expect(data.notificationLog.nodes).toEqual([{ channel: 'email', status: 'sent', reason: null, deliveredAt }]);
});
