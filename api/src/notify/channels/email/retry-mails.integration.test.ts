import { describe, expect, it } from 'vitest';
import {
  alertsOf,
  emailParts,
  recordingMailer,
  sendDueMails,
  setUpMails,
} from '../../../../test/mail/mail-fixtures.ts';
import { NOBODY } from '../../../domain/mail-kinds.ts';
import { MailDelayed, MailRefused } from '../../../vendors/mail.ts';
import { enqueueMail } from '../../enqueue-mail.ts';
import { releaseAlerts } from '../../release-waiting.ts';
import { claimAlerts } from './claim-mails.ts';

const { db, all, statuses, oneMatch } = setUpMails();

const mailStatuses = async () =>
  (await all('select status from mails order by created_at, id')).map((row) => row.status);

describe('a process that ends', () => {
  it('between claim and delivery leaves a mail that another process sends a minute later', async () => {
    const { alertId } = await oneMatch();
    const claim = await claimAlerts(db.pool, await alertsOf(db.pool, alertId), true);
    expect(claim.claims).toHaveLength(1);
    const mailer = recordingMailer();
    const soon = await sendDueMails(emailParts(db, mailer));
    expect(mailer.mails).toHaveLength(0);
    expect(soon.nextInMs).toBeGreaterThan(55_000);
    await db.pool.query("update mails set claimed_at = now() - interval '61 seconds'");
    await sendDueMails(emailParts(db, mailer));
    expect(mailer.mails).toHaveLength(1);
    expect(mailer.mails[0]?.id).toBe(claim.claims[0]?.id);
    expect(await statuses()).toEqual(['sent']);
  });

  it('after the delivery leaves a mail that the vendor is found to have, so that it is not sent again', async () => {
    const { alertId } = await oneMatch();
    const mailer = recordingMailer();
    await sendDueMails(emailParts(db, mailer));
    await db.pool.query(
      "update mails set status = 'sending', sent_at = null, claimed_at = now() - interval '61 seconds'",
    );
    await db.pool.query("update notifications set status = 'sending', settled_at = null");
    await db.pool.query('update alerts set is_active = false where id = $1', [alertId]);
    await sendDueMails(emailParts(db, mailer));
    expect(mailer.mails).toHaveLength(1);
    expect(await mailStatuses()).toEqual(['sent']);
    expect(await statuses()).toEqual(['sent']);
  });

  it('leaves no mail to send if the alert is switched off meanwhile', async () => {
    const { alertId } = await oneMatch();
    await claimAlerts(db.pool, await alertsOf(db.pool, alertId), true);
    await db.pool.query("update mails set claimed_at = now() - interval '61 seconds'");
    await db.pool.query('update alerts set is_active = false');
    const mailer = recordingMailer();
    await sendDueMails(emailParts(db, mailer));
    expect(mailer.mails).toHaveLength(0);
    expect(await mailStatuses()).toEqual(['dropped']);
    expect(await statuses()).toEqual(['dropped']);
  });
});

describe('a vendor that does not accept a mail', () => {
  it('is called again after the delay it asked for, with the same id', async () => {
    await oneMatch();
    let down = true;
    const mailer = recordingMailer(() => {
      if (down) throw new MailDelayed('busy', 90_000);
    });
    const result = await sendDueMails(emailParts(db, mailer));
    expect(result).toMatchObject({ sent: 0, deferred: 1 });
    expect(result.nextInMs).toBeGreaterThan(85_000);
    expect(await mailStatuses()).toEqual(['waiting']);
    const [{ id, error }] = await all('select id, error from mails');
    expect(error).toBe('busy');
    down = false;
    await db.pool.query('update mails set next_try_at = now()');
    await sendDueMails(emailParts(db, mailer));
    expect(mailer.mails.map((mail) => mail.id)).toEqual([id]);
    expect(await all('select attempts, status, error from mails')).toEqual([
      { attempts: 2, status: 'sent', error: null },
    ]);
  });

  it('ends the mail when it refuses it permanently, or after a day', async () => {
    await oneMatch();
    await sendDueMails(
      emailParts(
        db,
        recordingMailer(() => {
          throw new MailRefused('no such address');
        }),
      ),
    );
    expect(await mailStatuses()).toEqual(['failed']);
    expect(await statuses()).toEqual(['failed']);
    await enqueueMail(db.pool, { kind: 'confirm', userId: 1, to: 'old@example.com' });
    await db.pool.query(
      "update mails set created_at = now() - interval '25 hours', attempts = 12 where status = 'waiting'",
    );
    const late = await sendDueMails(
      emailParts(
        db,
        recordingMailer(() => {
          throw new MailDelayed('busy');
        }),
      ),
    );
    expect(late).toMatchObject({ failed: 1, nextInMs: null });
  });
});

it('counts tries and time from the end of the hold when a rule has held the mail that is tried again', async () => {
  const { alertId } = await oneMatch();
  const fail = () =>
    sendDueMails(
      emailParts(
        db,
        recordingMailer(() => Promise.reject(new MailDelayed('busy'))),
      ),
    );
  await fail();
  await db.pool.query(`update mails set attempts = 12, created_at = now() - interval '49 hours', next_try_at = now()`);
  await db.pool.query(`update alerts set snoozed_until = now() + interval '2 days'`);
  await fail();
  await db.pool.query('update alerts set snoozed_until = null');
  await releaseAlerts(db.pool, await alertsOf(db.pool, alertId));
  expect(await fail()).toMatchObject({ failed: 0, deferred: 1 });
  expect(await all(`select attempts, next_try_at < now() + interval '10 seconds' as soon from mails`)).toEqual([
    { attempts: 14, soon: true },
  ]);
  await db.pool.query(`update mails set retry_since = now() - interval '25 hours', attempts = 23, next_try_at = now()`);
  expect(await fail()).toMatchObject({ failed: 0, deferred: 1 });
  await db.pool.query('update mails set next_try_at = now()');
  expect(await fail()).toMatchObject({ failed: 1, deferred: 0 });
  expect(await all('select attempts, attempts_before from mails')).toEqual([{ attempts: 25, attempts_before: 13 }]);
});

it('gives up a mail that no rule has held after a day, however often its rules change', async () => {
  const { alertId } = await oneMatch();
  const busy = emailParts(
    db,
    recordingMailer(() => Promise.reject(new MailDelayed('busy'))),
  );
  await sendDueMails(busy);
  await db.pool.query(`update mails set attempts = 11, created_at = now() - interval '25 hours'`);
  await releaseAlerts(db.pool, await alertsOf(db.pool, alertId));
  expect(await sendDueMails(busy)).toMatchObject({ failed: 1, deferred: 0 });
});

describe('other mails', () => {
  it('are sent with their links, and only if the transaction that queued them commits', async () => {
    const { userId, alertId } = await oneMatch({}, { username: 'ada', email: 'ada@example.com' });
    await db.pool.query('truncate notifications');
    const to = 'ada@example.com';
    await enqueueMail(db.pool, { kind: 'confirm', userId, to });
    await enqueueMail(db.pool, { kind: 'address_taken', userId, to });
    await enqueueMail(db.pool, { kind: 'test', userId, alertId, to });
    await enqueueMail(db.pool, { kind: 'reset', userId, to, data: { passwordMark: 'x' } });
    await enqueueMail(db.pool, { kind: 'address_changed', userId, to, data: { newAddress: 'new@example.com' } });
    const message = { name: 'Ada', email: 'ada@home.example', subject: 'Hi', message: 'One\nTwo' };
    await enqueueMail(db.pool, { kind: 'contact', userId: NOBODY, to: 'support@lotwatch.example', data: message });
    const mailer = recordingMailer();
    await sendDueMails(emailParts(db, mailer, { workers: 1 }));
    const byKind = new Map(mailer.mails.map((mail) => [mail.kind, mail]));
    expect([...byKind.keys()].sort()).toEqual([
      'address_changed',
      'address_taken',
      'confirm',
      'contact',
      'reset',
      'test',
    ]);
    expect(byKind.get('confirm')?.text).toMatch(/https:\/\/lotwatch\.example\/confirm-email\/[\w.-]+$/m);
    expect(byKind.get('reset')?.text).toMatch(/https:\/\/lotwatch\.example\/reset-password\/[\w.-]+$/m);
    expect(byKind.get('contact')?.replyTo).toBe('ada@home.example');
    expect(byKind.get('test')?.headers['List-Unsubscribe']).toBeDefined();
  });

  it('about an alert are not sent to an unconfirmed address', async () => {
    const { userId, alertId } = await oneMatch({}, { email_confirmed_at: null });
    await db.pool.query('truncate notifications');
    await enqueueMail(db.pool, { kind: 'test', userId, alertId, to: 'someone@example.com' });
    const mailer = recordingMailer();
    await sendDueMails(emailParts(db, mailer));
    expect(mailer.mails).toHaveLength(0);
    expect(await mailStatuses()).toEqual(['dropped']);
  });

  it('wake the worker', async () => {
    const client = await db.pool.connect();
    const notified: (string | undefined)[] = [];
    client.on('notification', ({ payload }) => notified.push(payload));
    await client.query('listen lotwatch_work');
    await enqueueMail(db.pool, { kind: 'confirm', userId: NOBODY, to: 'a@example.com' });
    await expect.poll(() => notified).toEqual(['send']);
    client.release(true);
  });
});
