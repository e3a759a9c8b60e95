import { describe, expect, it } from 'vitest';
import {
  emailParts,
  insertAlert,
  insertListing,
  insertMatch,
  insertUser,
  recordingMailer,
  sendDueMails,
  setUpMails,
} from '../../../../test/mail/mail-fixtures.ts';
import { enqueueMail } from '../../enqueue-mail.ts';
import { releaseUser } from '../../release-waiting.ts';

const { db, all, statuses, oneMatch } = setUpMails();

describe('a match mail', () => {
  it('has the car, the ids and the headers for one-click unsubscribing, and is recorded', async () => {
    const { alertId, listingId, notificationId } = await oneMatch();
    const mailer = recordingMailer();
    const result = await sendDueMails(emailParts(db, mailer));
    expect(result).toEqual({ sent: 1, deferred: 0, failed: 0, dropped: 0, unknown: 0, nextInMs: null });
    const [mail] = mailer.mails;
    expect(mail).toMatchObject({
      kind: 'match',
      to: expect.stringContaining('@example.com'),
      subject: 'Toyota Camry: 2018 Toyota Camry SE, $15,400',
      alertId,
      matchIds: [`${listingId}:${alertId}`],
      notificationIds: [notificationId],
    });
    expect(mail?.headers['X-LotWatch-Id']).toBe(mail?.id);
    expect(mail?.headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click');
    expect(mail?.headers['List-Unsubscribe']).toMatch(/^<https:\/\/lotwatch\.example\/m\/[\w.-]+>$/);
    expect(mail?.text).toContain('matches Toyota Camry, 2015–2020, within 50 mi');
    const [row] = await all('select status, sent_at, attempts, subject from mails');
    expect(row).toMatchObject({ status: 'sent', attempts: 1, sent_at: expect.any(Date), subject: mail?.subject });
    const [note] = await all('select status, settled_at from notifications');
    expect(note).toMatchObject({ status: 'sent', settled_at: expect.any(Date) });
    expect((await all('select last_mailed_at from alerts'))[0].last_mailed_at).toBeInstanceOf(Date);
  });

  it('has all waiting notifications of the alert, due or not', async () => {
    const { alertId } = await oneMatch();
    const later = await insertMatch(db.pool, alertId, await insertListing(db.pool), {
      due_at: new Date(Date.now() + 60_000),
    });
    const mailer = recordingMailer();
    await sendDueMails(emailParts(db, mailer));
    expect(mailer.mails).toHaveLength(1);
    expect(mailer.mails[0]?.subject).toBe('2 new matches: Toyota Camry');
    expect(mailer.mails[0]?.notificationIds).toContain(later);
  });

  it('is sent five minutes after the last mail, with all notifications since then', async () => {
    const { alertId } = await oneMatch({ last_mailed_at: new Date(Date.now() - 60_000) });
    const mailer = recordingMailer();
    const result = await sendDueMails(emailParts(db, mailer));
    expect(mailer.mails).toHaveLength(0);
    expect(result.nextInMs).toBeGreaterThan(235_000);
    expect(result.nextInMs).toBeLessThanOrEqual(240_000);
    await db.pool.query("update alerts set last_mailed_at = now() - interval '5 minutes' where id = $1", [alertId]);
    await db.pool.query('update notifications set due_at = now()');
    await sendDueMails(emailParts(db, mailer));
    expect(mailer.mails.map(({ kind }) => kind)).toEqual(['match']);
  });

  it('is not sent before two seconds have passed, in which other matches are added', async () => {
    const { notificationId } = await oneMatch();
    await db.pool.query("update notifications set created_at = now() + interval '10 s' where id = $1", [
      notificationId,
    ]);
    const mailer = recordingMailer();
    const result = await sendDueMails(emailParts(db, mailer));
    expect(mailer.mails).toHaveLength(0);
    expect(result.nextInMs).toBeGreaterThan(10_000);
    expect(result.nextInMs).toBeLessThanOrEqual(12_000);
  });

  it('states the price before a drop', async () => {
    const { alertId, listingId } = await oneMatch();
    await db.pool.query('truncate notifications');
    await db.pool.query("insert into price_changes values ($1, 17000, now() - interval '1 day'), ($1, 15400, now())", [
      listingId,
    ]);
    await insertMatch(db.pool, alertId, listingId, { kind: 'price_drop', price: 15_400 });
    const mailer = recordingMailer();
    await sendDueMails(emailParts(db, mailer));
    expect(mailer.mails[0]?.subject).toBe('Toyota Camry: price drop, 2018 Toyota Camry SE, $15,400');
    expect(mailer.mails[0]?.html).toContain('Price drop from $17,000');
  });
});

describe('the validation before a mail is delivered', () => {
  const spoilers: [string, string][] = [
    ['the alert was switched off', 'update alerts set is_active = false'],
    ['the alert was deleted', 'delete from alerts'],
    ['the alert expired', 'update alerts set expires_at = now()'],
    ['its mails were unsubscribed', 'update alerts set email_notifications = false'],
    ['its criteria no longer ask for the pair', 'update alerts set version = version + 1'],
    ['the car was sold', "update listings set status = 'sold'"],
    ['the car became too dear', 'update listings set price = 50001'],
    ['the car turned out to be another', "update listings set model = 'corolla'"],
    ['the address is gone', 'update users set email = null'],
  ];
  it.each(spoilers)('drops it when %s', async (_name, sql) => {
    await oneMatch();
    await db.pool.query(sql);
    const mailer = recordingMailer();
    const result = await sendDueMails(emailParts(db, mailer));
    expect(mailer.mails).toHaveLength(0);
    expect(await statuses()).toEqual(['dropped']);
    expect(result.nextInMs).toBeNull();
  });

  it('drops the car that no longer fits, and mails the other', async () => {
    const { alertId, listingId } = await oneMatch();
    await insertMatch(db.pool, alertId, await insertListing(db.pool, { title: 'Another Camry' }));
    await db.pool.query("update listings set status = 'pending' where id = $1", [listingId]);
    const mailer = recordingMailer();
    await sendDueMails(emailParts(db, mailer));
    expect(mailer.mails[0]?.subject).toBe('Toyota Camry: Another Camry, $15,400');
    expect(await statuses()).toEqual(['dropped', 'sent']);
  });

  it('waits while an edited alert is matched again', async () => {
    await oneMatch({ pending_match: true });
    const mailer = recordingMailer();
    const result = await sendDueMails(emailParts(db, mailer));
    expect(await statuses()).toEqual(['waiting']);
    expect(result.nextInMs).toBeLessThanOrEqual(500);
  });

  it('defers mails to an unconfirmed address, and sends one summary once it is confirmed', async () => {
    const { userId, alertId } = await oneMatch({}, { email_confirmed_at: null });
    await insertMatch(db.pool, alertId, await insertListing(db.pool));
    const mailer = recordingMailer();
    const deferred = await sendDueMails(emailParts(db, mailer));
    expect(await statuses()).toEqual(['waiting', 'waiting']);
    expect(await all('select distinct held_by as "heldBy" from notifications')).toEqual([{ heldBy: 'unconfirmed' }]);
    expect(deferred.nextInMs).toBeGreaterThan(3_000_000);
    await db.pool.query('update users set email_confirmed_at = now()');
    await releaseUser(db.pool, userId);
    await sendDueMails(emailParts(db, mailer));
    expect(mailer.mails.map(({ kind, subject }) => [kind, subject])).toEqual([
      ['summary', '2 new matches: Toyota Camry'],
    ]);
    expect(mailer.mails[0]?.text).toContain('They waited until you confirmed your address');
  });

  it('mails an unconfirmed address where confirmation is not required', async () => {
    await oneMatch({}, { email_confirmed_at: null });
    const mailer = recordingMailer();
    await sendDueMails(emailParts(db, mailer, { confirmEmail: false }));
    expect(mailer.mails).toHaveLength(1);
  });

  it('never claims an alert that is being deactivated', async () => {
    const { alertId } = await oneMatch();
    const client = await db.pool.connect();
    await client.query('begin');
    await client.query('update alerts set is_active = false where id = $1', [alertId]);
    const mailer = recordingMailer();
    const during = sendDueMails(emailParts(db, mailer));
    await new Promise((resolve) => setTimeout(resolve, 300));
    await client.query('commit');
    client.release();
    expect((await during).nextInMs).toBe(250);
    await sendDueMails(emailParts(db, mailer));
    expect(mailer.mails).toHaveLength(0);
    expect(await statuses()).toEqual(['dropped']);
  });
});

describe('several engines', () => {
  it('send 200 mails, each exactly once', async () => {
    const userId = await insertUser(db.pool);
    const listingId = await insertListing(db.pool);
    for (let n = 0; n < 200; n += 1) await insertMatch(db.pool, await insertAlert(db.pool, userId), listingId);
    for (let n = 0; n < 40; n += 1) await enqueueMail(db.pool, { kind: 'confirm', userId, to: `${n}@example.com` });
    const mailer = recordingMailer(() => new Promise((resolve) => setTimeout(resolve, 2)));
    const results = await Promise.all([1, 2, 3].map(() => sendDueMails(emailParts(db, mailer, { workers: 4 }))));
    await sendDueMails(emailParts(db, mailer));
    expect(mailer.mails).toHaveLength(240);
    expect(new Set(mailer.mails.map(({ id }) => id)).size).toBe(240);
    expect(new Set(mailer.mails.flatMap(({ notificationIds }) => notificationIds)).size).toBe(200);
    expect(new Set(await statuses())).toEqual(new Set(['sent']));
    expect(results.filter(({ sent }) => sent > 0).length).toBeGreaterThan(1);
  }, 60_000);

  it('continue to claim mails while one mail waits for a slow vendor', async () => {
    await oneMatch();
    let release = () => {};
    const slow = new Promise<void>((resolve) => {
      release = resolve;
    });
    const mailer = recordingMailer((mail) => (mail.kind === 'match' ? slow : undefined));
    const run = sendDueMails(emailParts(db, mailer, { workers: 2 }));
    await new Promise((resolve) => setTimeout(resolve, 300));
    await enqueueMail(db.pool, { kind: 'confirm', userId: 1, to: 'late@example.com' });
    await expect.poll(() => mailer.mails.map(({ kind }) => kind)).toEqual(['confirm']);
    release();
    expect((await run).sent).toBe(2);
  });
});
