/** @module-tag long */
import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import { setUpDatabase } from '../../../../test/database.ts';
import { emailParts, insertPlan, insertUser, recordingMailer } from '../../../../test/mail/mail-fixtures.ts';
import { type SendgridServer, startSendgridServer } from '../../../../test/mail/sendgrid-server.ts';
import type { Mailer } from '../../../vendors/mail.ts';
import { makeSendgridMailer } from '../../../vendors/sendgrid-mail.ts';
import { enqueueMail } from '../../enqueue-mail.ts';
import { makeEmailEngine } from './email.ts';

const KEY = 'SG.a-key-of-this-test';
const MAILS = 60;
let server: SendgridServer;
let sendgrid: Mailer;
const db = setUpDatabase(async () => {
  await insertPlan(db.pool);
  server = await startSendgridServer(KEY);
  sendgrid = makeSendgridMailer({ apiKey: KEY, apiBase: server.url, from: 'a@lotwatch.example' });
});
afterAll(async () => {
  await server.close();
});
beforeEach(async () => {
  server.accepted.length = 0;
  await db.pool.query('truncate users, alerts, notifications, mails restart identity cascade');
  const userId = await insertUser(db.pool);
  for (let n = 0; n < MAILS; n += 1) await enqueueMail(db.pool, { kind: 'confirm', userId, to: `${n}@example.com` });
});

const statuses = async () =>
  Object.fromEntries(
    (await db.rows('select status, count(*) as n from mails group by 1')).map(({ status, n }) => [status, n]),
  );
const acceptedIds = () => server.accepted.map(({ body }) => body.personalizations[0]?.custom_args?.lotwatch_id);
const sentAfter = async (send: () => Promise<unknown>) => {
  await becomeDue();
  await send();
  return (await statuses()).sent;
};
const becomeDue = () => db.pool.query("update mails set next_try_at = now() where status = 'waiting'");

it('a delay that the vendor asks for applies to all mails, each of which is then sent once', async () => {
  const send = makeEmailEngine(emailParts(db, sendgrid, { workers: 1 })).drain;
  server.next = { status: 429, headers: { 'Retry-After': '3' } };
  const paused = await send();
  expect(paused.sent).toBe(0);
  expect(paused.nextInMs).toBeGreaterThan(500);
  expect((await send()).sent).toBe(0);
  expect(server.accepted).toHaveLength(0);
  await expect.poll(() => sentAfter(send), { timeout: 20_000 }).toBe(MAILS);
  expect(new Set(acceptedIds()).size).toBe(MAILS);
  expect(server.accepted).toHaveLength(MAILS);
});

it('a failing vendor gets one mail at a time until it accepts one', async () => {
  const unheard = makeSendgridMailer({ apiKey: KEY, apiBase: 'http://127.0.0.1:1', from: 'a@lotwatch.example' });
  let tries = 0;
  let down = true;
  const breaking: Mailer = {
    send(mail) {
      tries += 1;
      return (down ? unheard : sendgrid).send(mail);
    },
    wasSent: () => Promise.resolve(null),
  };
  const send = makeEmailEngine(emailParts(db, breaking, { workers: 4 })).drain;
  await send();
  const firstWave = tries;
  expect(firstWave).toBeLessThanOrEqual(8);
  await new Promise((resolve) => setTimeout(resolve, 1_300));
  await becomeDue();
  await send();
  expect(tries).toBe(firstWave + 1);
  expect(server.accepted).toHaveLength(0);
  down = false;
  await expect.poll(() => sentAfter(send), { timeout: 20_000 }).toBe(MAILS);
  expect(server.accepted).toHaveLength(MAILS);
});

it('a mail that was accepted while the database was unavailable is recorded later, and not sent again', async () => {
  const mailer = { ...recordingMailer(), wasSent: () => Promise.resolve(null) };
  await db.pool.query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'not now'; end $$;
    create trigger refuse before update on mails for each row when (new.status = 'sent') execute function refuse()`);
  const send = makeEmailEngine(emailParts(db, mailer)).drain;
  const run = send();
  await expect.poll(() => mailer.mails.length).toBe(MAILS);
  await db.pool.query("update mails set claimed_at = now() - interval '2 minutes'");
  const meanwhile = send();
  await new Promise((resolve) => setTimeout(resolve, 300));
  await db.pool.query('drop trigger refuse on mails; drop function refuse');
  expect((await run).sent).toBe(MAILS);
  await meanwhile;
  expect(await statuses()).toEqual({ sent: MAILS });
  expect(mailer.mails).toHaveLength(MAILS);
});

it('a worker whose clock is days ahead gives up no mail too early', async () => {
  const send = makeEmailEngine(emailParts(db, sendgrid, { workers: 1 })).drain;
  server.next = { status: 500 };
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3 * 24 * 3_600_000 });
  try {
    await send();
    expect((await statuses()).failed).toBeUndefined();
    await db.pool.query("update mails set created_at = now() - interval '25 hours', attempts = 12");
    vi.setSystemTime(Date.now() - 6 * 24 * 3_600_000);
    server.next = { status: 500 };
    await expect.poll(() => sentAfter(send).then(statuses), { timeout: 20_000 }).toMatchObject({ failed: 1 });
  } finally {
    vi.useRealTimers();
  }
});
