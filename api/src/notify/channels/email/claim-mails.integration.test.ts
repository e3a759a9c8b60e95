import { describe, expect, it } from 'vitest';
import { onCluster } from '../../../../test/database.ts';
import {
  alertsOf,
  emailParts,
  insertAlert,
  insertDueMatch,
  insertListing,
  insertMatch,
  insertUser,
  recordingMailer,
  sendDueMails,
  setUpMails,
} from '../../../../test/mail/mail-fixtures.ts';
import { releaseUser } from '../../release-waiting.ts';
import { claimAlerts, claimEnqueued, findDueAlerts, renewLeases } from './claim-mails.ts';
import { endMails } from './complete-mails.ts';
import { makeEmailEngine } from './email.ts';

const { db, all } = setUpMails();

const count = async (sql: string) => Number((await all(`select count(*) as n from ${sql}`))[0].n);

/** Inserts buyers with one alert each, which all fit one listing. */
async function manyAlerts(alerts: number, overrides: (at: number) => Record<string, unknown> = () => ({})) {
  const listingId = await insertListing(db.pool);
  const ids: number[] = [];
  for (let at = 0; at < alerts; at += 1) {
    const alertId = await insertAlert(db.pool, await insertUser(db.pool), overrides(at));
    await insertMatch(db.pool, alertId, listingId);
    ids.push(alertId);
  }
  return ids;
}

describe('a batch of alerts', () => {
  it('claims, drops and defers each alert on its own', async () => {
    const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);
    const ids = await manyAlerts(
      6,
      (at) =>
        [
          {},
          { is_active: false },
          { last_mailed_at: ago(1) },
          { pending_match: true },
          { last_mailed_at: ago(6) },
          { email_notifications: false },
        ][at] ?? {},
    );
    await db.pool.query(
      'update users set email_confirmed_at = null where id = (select user_id from alerts where id = $1)',
      [ids[4]],
    );
    const { claims: mails, busy } = await claimAlerts(db.pool, await alertsOf(db.pool, ...ids, 99_999), true);
    expect(mails.map(({ alertId }) => alertId)).toEqual([ids[0]]);
    expect(busy).toEqual([]);
    const rows = await all(
      `select status, extract(epoch from due_at - now())::int as wait from notifications order by alert_id`,
    );
    expect(rows.map(({ status }) => status)).toEqual([
      'sending',
      'dropped',
      'waiting',
      'waiting',
      'waiting',
      'dropped',
    ]);
    expect(rows[2].wait).toBeGreaterThan(235);
    expect(rows[3].wait).toBeLessThanOrEqual(1);
    expect(rows[4].wait).toBeGreaterThan(3_500);
  });

  // No trigger of a test is possible on distributed tables.
  it.skipIf(onCluster)('is delivered without the one alert whose rows cause an error', async () => {
    const ids = await manyAlerts(20);
    await db.pool.query(`
      create function refuse() returns trigger language plpgsql as $$ begin raise exception 'trouble'; end $$;
      create trigger refuse before insert on mails for each row when (new.alert_id = ${ids[7]}) execute function refuse()`);
    try {
      const mailer = recordingMailer();
      const result = await sendDueMails(emailParts(db, mailer));
      expect(mailer.mails).toHaveLength(19);
      expect(mailer.mails.map(({ alertId }) => alertId)).not.toContain(ids[7]);
      expect(await all("select alert_id from notifications where status = 'waiting'")).toEqual([{ alert_id: ids[7] }]);
      expect(result.nextInMs).toBeGreaterThan(30_000);
    } finally {
      await db.pool.query('drop trigger refuse on mails; drop function refuse');
    }
  });

  it('is claimed once when many processes claim it at the same time', async () => {
    const ids = await manyAlerts(40);
    const alerts = await alertsOf(db.pool, ...ids);
    const claims = await Promise.all(Array.from({ length: 8 }, () => claimAlerts(db.pool, alerts, true)));
    expect(claims.flatMap(({ claims: mails }) => mails.map(({ alertId }) => alertId)).sort()).toEqual([...ids].sort());
    expect(await count("notifications where status = 'sending'")).toBe(40);
    expect(await count('mails')).toBe(40);
  });

  it('contains no alert that was switched off after it was found due', async () => {
    const ids = await manyAlerts(30);
    expect(await findDueAlerts(db.pool)).toHaveLength(30);
    await db.pool.query('update alerts set is_active = false where id % 2 = 0');
    const { claims: mails } = await claimAlerts(db.pool, await alertsOf(db.pool, ...ids), true);
    expect(mails.map(({ alertId }) => Number(alertId) % 2)).toEqual(Array.from({ length: 15 }, () => 1));
  });
});

describe('alerts that were mailed a minute ago', () => {
  it('have all due notifications deferred in one statement that waits for no lock', async () => {
    const ids = await manyAlerts(60, () => ({ last_mailed_at: new Date(Date.now() - 60_000) }));
    const holder = await db.pool.connect();
    await holder.query('begin');
    const [first] = await alertsOf(db.pool, ids[0] ?? 0);
    await holder.query('select 1 from notifications where alert_id = $1 and user_id = $2 for update', [
      first?.id,
      first?.userId,
    ]);
    try {
      expect(await findDueAlerts(db.pool)).toEqual([]);
      expect(await count("notifications where due_at > now() + interval '3 minutes'")).toBe(59);
    } finally {
      await holder.query('rollback');
      holder.release();
    }
    expect(await findDueAlerts(db.pool)).toEqual([]);
    expect(await count("notifications where due_at > now() + interval '3 minutes'")).toBe(60);
  });

  it('do not delay the others', async () => {
    await manyAlerts(80, (at) => (at < 60 ? { last_mailed_at: new Date(Date.now() - 60_000) } : {}));
    const mailer = recordingMailer();
    const { nextInMs } = await sendDueMails(emailParts(db, mailer));
    expect(mailer.mails).toHaveLength(20);
    expect(nextInMs).toBeGreaterThan(230_000);
  });
});

describe('a claimed mail that waits', () => {
  const slow = (ms: number) => () => new Promise<void>((resolve) => setTimeout(resolve, ms));

  it('is validated again before it is delivered', async () => {
    await manyAlerts(4);
    const mailer = recordingMailer(slow(2_000));
    const run = sendDueMails(emailParts(db, mailer, { workers: 2 }));
    await expect.poll(() => count("mails where status = 'sending'")).toBe(4);
    await db.pool.query('update alerts set is_active = false');
    expect(await run).toMatchObject({ sent: 2, dropped: 2 });
    expect(mailer.mails).toHaveLength(2);
  });

  it('is not delivered when another process has taken it over', async () => {
    await insertDueMatch(db.pool);
    const { claims: mails } = await claimAlerts(db.pool, await alertsOf(db.pool, 1), true);
    expect([...(await renewLeases(db.pool, mails))]).toEqual([mails[0]?.id]);
    await db.pool.query("update mails set claimed_at = now() - interval '61 seconds'");
    expect(await claimEnqueued(db.pool, 10, 60_000, [])).toMatchObject([{ leftBehind: true, attempts: 2 }]);
    expect([...(await renewLeases(db.pool, mails))]).toEqual([]);
    await endMails(db.pool, 'dropped', mails);
    expect(await all('select status from mails')).toEqual([{ status: 'sending' }]);
    expect(await all('select status from notifications')).toEqual([{ status: 'sending' }]);
    // A mail that the vendor has accepted is sent, also when the process that took it over defers it.
    await db.pool.query("update mails set status = 'waiting'");
    await endMails(db.pool, 'sent', [{ id: mails[0]?.id ?? '', userId: mails[0]?.userId ?? 0 }]);
    expect(await all('select status from mails')).toEqual([{ status: 'sent' }]);
  });

  it('is released at shutdown', async () => {
    await manyAlerts(6);
    const stopping = new AbortController();
    const mailer = recordingMailer(async () => {
      stopping.abort();
      await slow(100)();
    });
    await sendDueMails(emailParts(db, mailer, { workers: 2, signal: stopping.signal }));
    expect(
      await all(
        'select status, attempts - attempts_before as tries, count(*)::int from mails group by 1, 2 order by 1',
      ),
    ).toEqual([
      { status: 'sent', tries: 1, count: 1 },
      { status: 'waiting', tries: 0, count: 5 },
    ]);
    await sendDueMails(emailParts(db, mailer));
    expect(new Set(mailer.mails.map(({ alertId }) => alertId)).size).toBe(6);
    expect(mailer.mails).toHaveLength(6);
  });
});

it('an address that is confirmed while its rows are being deferred is mailed at once', async () => {
  const { userId, alertId } = await insertDueMatch(db.pool, {}, { email_confirmed_at: null });
  const sender = makeEmailEngine(emailParts(db, recordingMailer())).drain;
  for (let round = 0; round < 20; round += 1) {
    await db.pool.query(
      "update users set email_confirmed_at = null; update notifications set due_at = now() - interval '1 s'",
    );
    const client = await db.pool.connect();
    await client.query('begin');
    await client.query('update users set email_confirmed_at = now() where id = $1', [userId]);
    const claimed = claimAlerts(db.pool, [{ alertId, userId }], true);
    await releaseUser(client, userId);
    await client.query('commit');
    client.release();
    if ((await claimed).claims.length > 0) return;
    expect(await count('notifications where due_at <= now()')).toBe(1);
  }
  expect((await sender()).sent).toBe(1);
});

it('serves paid plans first, but delays the others by no more than a minute', async () => {
  await db.pool.query(
    `insert into plans select n, 'Paid', description, n, alert_limit, is_popular, features
       from plans, generate_series(2, 4) n where id = 1 on conflict do nothing`,
  );
  const dueFor = async (planId: number, seconds: number) => {
    const { alertId } = await insertDueMatch(db.pool, {}, { plan_id: planId });
    const text = "update notifications set due_at = now() - $2 * interval '1 s' where alert_id = $1";
    await db.pool.query(text, [alertId, seconds]);
    return alertId;
  };
  const free = [await dueFor(1, 90), await dueFor(1, 50), await dueFor(1, 5)];
  const paid = [await dueFor(2, 1), await dueFor(4, 20)];
  const due = await findDueAlerts(db.pool);
  expect(due.map(({ alertId }) => alertId)).toEqual([free[0], paid[1], paid[0], free[1], free[2]]);
});
