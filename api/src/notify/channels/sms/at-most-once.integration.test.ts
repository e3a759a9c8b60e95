import { afterEach, describe, expect, it, vi } from 'vitest';
import { onCluster } from '../../../../test/database.ts';
import { changeEverywhere } from '../../../../test/everywhere.ts';
import { insertAlert } from '../../../../test/mail/mail-fixtures.ts';
import {
  failing,
  insertDueText,
  insertTexted,
  insertTextedAlert,
  PHONE,
  recordingTexter,
  setUpTexts,
  smsParts,
} from '../../../../test/texts/text-fixtures.ts';
import { type Texter, TextNotAccepted } from '../../../vendors/texts/text.ts';
import { deferred } from '../../complete.ts';
import { claimText } from './claim-text.ts';
import { completeTexts } from './complete-texts.ts';
import { recordDelivery } from './record-delivery.ts';
import { makeSmsEngine } from './sms.ts';

const used = setUpTexts();
const { texts, all, run, statuses } = used;

describe('at most once', () => {
  it('a text is sent by one of several engines', async () => {
    const userId = await insertTexted(used.db.pool, { plan_id: 4 });
    for (let n = 0; n < 20; n += 1) {
      await insertDueText(used.db.pool, await insertAlert(used.db.pool, userId, { text_notifications: true }));
    }
    const engines = Array.from({ length: 4 }, () => makeSmsEngine(smsParts(used.db, recordingTexter(texts))));
    for (let round = 0; round < 40 && texts.length < 20; round += 1) {
      await Promise.all(engines.map((engine) => engine.drain()));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(texts).toHaveLength(20);
    expect(new Set(texts.flatMap(({ matchIds }) => matchIds)).size).toBe(20);
  });

  it('a text whose process ended is unknown after a while, and never sent', async () => {
    const alert = await insertTextedAlert(used.db.pool);
    const claimed = await claimText(smsParts(used.db, recordingTexter(texts)), alert);
    expect(claimed).toMatchObject({ text: { to: PHONE } });
    expect((await run()).nextInMs).toBeGreaterThan(10_000);
    await used.db.pool.query("update texts set created_at = now() - interval '1 minute'");
    expect(await run()).toMatchObject({ unknown: 1, sent: 0 });
    expect(await statuses()).toEqual(['unknown']);
    await run();
    expect(texts).toEqual([]);
  });

  it('a call without a clear answer leaves it unknown', async () => {
    await insertTextedAlert(used.db.pool);
    expect(await run(failing(new Error('timeout of 15000ms exceeded')))).toMatchObject({ unknown: 1 });
    expect(await all('select status, error from texts')).toEqual([
      { status: 'unknown', error: 'timeout of 15000ms exceeded' },
    ]);
    await run();
    expect(texts).toEqual([]);
  });

  it('the next text stands when the release of the one before is recorded again, as its first answer was lost', async () => {
    const alert = await insertTextedAlert(used.db.pool);
    const parts = smsParts(used.db, recordingTexter(texts));
    const claim = async () => {
      const claimed = await claimText(parts, alert);
      if (!claimed || typeof claimed === 'string') throw new Error('not claimed');
      return claimed;
    };
    const release = [deferred(await claim(), 0)];
    await completeTexts(used.db.pool, release);
    const next = await claim();
    await completeTexts(used.db.pool, release);
    expect(await all(`select status, id = '${next.id}' as next from texts order by created_at`)).toEqual([
      { status: 'failed', next: false },
      { status: 'sending', next: true },
    ]);
    expect(await statuses()).toEqual(['sending']);
  });

  it('a text that was certainly not accepted is retried, without waiting for the five minutes', async () => {
    const { alertId } = await insertTextedAlert(used.db.pool);
    const { nextInMs } = await run(failing(new TextNotAccepted('429')));
    expect(nextInMs).toBeGreaterThan(25_000);
    expect(await statuses()).toEqual(['waiting']);
    await used.db.pool.query('update notifications set due_at = now() where alert_id = $1', [alertId]);
    await run();
    expect(texts).toHaveLength(1);
    expect(await all('select status from texts order by created_at')).toEqual([
      { status: 'failed' },
      { status: 'sent' },
    ]);
  });

  const fail = () => run(failing(new TextNotAccepted('429')));
  const pass = (time: string) =>
    changeEverywhere(
      used.db,
      `with tried as (update texts set created_at = created_at - interval '${time}'),
            failing as (update alerts set texts_failing_since = texts_failing_since - interval '${time}',
                          last_texted_at = last_texted_at - interval '${time}')
       update notifications set created_at = created_at - interval '${time}', due_at = now()`,
    );

  it('however long a rule has held its notifications, and is given up after six hours of failures', async () => {
    await insertTextedAlert(used.db.pool);
    await pass('20 hours');
    await fail();
    expect(await statuses()).toEqual(['waiting']);
    await pass('5 hours 59 minutes');
    await fail();
    expect(await statuses()).toEqual(['waiting']);
    await pass('2 minutes');
    await fail();
    expect(await statuses()).toEqual(['failed']);
  });

  it('is given up after six hours of failures also where tries were rare', async () => {
    await insertTextedAlert(used.db.pool);
    await fail();
    await pass('6 hours 30 minutes');
    await fail();
    expect(await statuses()).toEqual(['failed']);
  });

  it('failures before a rule held it do not count', async () => {
    await insertTextedAlert(used.db.pool);
    await fail();
    await pass('1 minute');
    await used.db.pool.query(`update alerts set snoozed_until = now() + interval '6 hours'`);
    await run();
    expect(texts).toEqual([]);
    await used.db.pool.query('update alerts set snoozed_until = null');
    await pass('6 hours 2 minutes');
    await fail();
    expect(await statuses()).toEqual(['waiting']);
    await pass('6 hours 1 minute');
    await fail();
    expect(await statuses()).toEqual(['failed']);
  });

  it.each([
    ['a snooze', `snoozed_until = now() - interval '1 minute'`],
    [
      'quiet hours',
      `quiet_hours = jsonb_build_object('days', '[0, 1, 2, 3, 4, 5, 6]'::jsonb,
         'from', to_char(now() at time zone 'America/Los_Angeles' - interval '4 hours', 'HH24:00'),
         'to', to_char(now() at time zone 'America/Los_Angeles' - interval '1 hour', 'HH24:00'))`,
    ],
  ])('failures before %s do not count that passed while no worker ran', async (_what, rule) => {
    const { alertId } = await insertTextedAlert(used.db.pool);
    await fail();
    await pass('9 hours');
    await used.db.pool.query(`update alerts set ${rule} where id = $1`, [alertId]);
    await fail();
    expect(await statuses()).toEqual(['waiting']);
    await pass('6 hours 1 minute');
    await used.db.pool.query('update alerts set snoozed_until = null, quiet_hours = null where id = $1', [alertId]);
    await fail();
    expect(await statuses()).toEqual(['failed']);
  });

  it('failures before a text that was sent do not count', async () => {
    const { alertId } = await insertTextedAlert(used.db.pool);
    await fail();
    await pass('1 minute');
    await run();
    expect(await statuses()).toEqual(['sent']);
    await insertDueText(used.db.pool, alertId);
    await pass('6 hours 1 minute');
    await fail();
    expect(await statuses()).toEqual(['sent', 'waiting']);
  });
});

describe('what the provider reports later', () => {
  it('completes a text with an unknown outcome, once and in any order of reports', async () => {
    await insertTextedAlert(used.db.pool);
    await run(failing(new Error('reset')));
    const [{ id }] = await all('select id from texts');
    const report = (status: string, sid = 'SM1', error: string | null = null) =>
      recordDelivery(used.db.pool, { textId: id, sid, status, error });
    expect(await report('delivered')).toBe(true);
    expect(await report('sent')).toBe(true);
    expect(await report('failed', 'SM1', '30003')).toBe(true);
    expect(await report('delivered', 'SM2')).toBe(false);
    expect(await report('made-up')).toBe(false);
    expect(await all('select status, sid, delivery, delivery_error from texts')).toEqual([
      { status: 'sent', sid: 'SM1', delivery: 'delivered', delivery_error: null },
    ]);
    expect(await statuses()).toEqual(['sent']);
  });
});

afterEach(() => {
  vi.useRealTimers();
});

const count = async (status: string) => (await statuses()).filter((one) => one === status).length;

it('a failing provider gets one text at a time until it accepts one, and the others wait', async () => {
  for (let n = 0; n < 12; n += 1) await insertTextedAlert(used.db.pool);
  let isBroken = true;
  let calls = 0;
  const provider: Texter = {
    timeoutMs: 1_000,
    send(text) {
      calls += 1;
      return isBroken ? Promise.reject(new Error('Twilio 500')) : recordingTexter(texts).send(text);
    },
  };
  vi.useFakeTimers({ toFake: ['performance'] });
  const send = makeSmsEngine(smsParts(used.db, provider)).drain;
  const { unknown, nextInMs } = await send();
  expect(nextInMs).toBeGreaterThan(500);
  expect(unknown).toBeLessThanOrEqual(7);
  expect(await count('waiting')).toBe(12 - unknown);
  expect((await send()).unknown).toBe(0);
  vi.advanceTimersByTime(1_300);
  expect((await send()).unknown).toBe(1);
  expect(calls).toBe(unknown + 1);
  isBroken = false;
  vi.advanceTimersByTime(2_600);
  expect((await send()).sent).toBe(12 - unknown - 1);
});

// No trigger of a test is possible on distributed tables.
it.skipIf(onCluster)('an alert whose claim fails does not delay others', async () => {
  const troubled = await insertTexted(used.db.pool);
  const first = await insertAlert(used.db.pool, troubled, { text_notifications: true });
  await insertDueText(used.db.pool, first);
  for (let n = 0; n < 200; n += 20) {
    await Promise.all(
      Array.from({ length: 20 }, async () =>
        insertDueText(used.db.pool, await insertAlert(used.db.pool, troubled, { text_notifications: true })),
      ),
    );
  }
  await changeEverywhere(used.db, "update notifications set due_at = due_at - interval '1 minute'");
  const { alertId } = await insertTextedAlert(used.db.pool);
  await used.db.pool.query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'trouble'; end $$;
    create trigger refuse before insert on texts for each row when (new.user_id = ${troubled}) execute function refuse()`);
  try {
    await run();
  } finally {
    await used.db.pool.query('drop trigger refuse on texts; drop function refuse');
  }
  expect(texts.map((text) => text.alertId)).toEqual([alertId]);
  const [{ ms }] = await all(
    "select extract(epoch from min(due_at) - now()) * 1000 as ms from notifications where status = 'waiting'",
  );
  expect(Number(ms)).toBeGreaterThan(30_000);
});

it('a text that was not accepted is released without blocking an erasure', async () => {
  const { alertId, userId } = await insertTextedAlert(used.db.pool);
  const eraser = await used.db.pool.connect();
  const provider: Texter = {
    timeoutMs: 1_000,
    async send() {
      await eraser.query(`begin; select from alerts where id = ${alertId} and user_id = ${userId} for update`);
      throw new TextNotAccepted('429');
    },
  };
  const running = run(provider);
  await expect.poll(() => used.db.lockWaits()).toBe(1);
  await eraser.query('select from texts where user_id = $1 for update nowait', [userId]);
  await eraser.query('select from notifications where user_id = $1 for update nowait', [userId]);
  await eraser.query('commit');
  eraser.release();
  await running;
  expect(await statuses()).toEqual(['waiting']);
});

it('a code whose process ended is unknown, also where texts are no longer set up', async () => {
  await used.db.pool.query(
    `insert into texts (id, kind, user_id, to_phone, created_at)
     values (gen_random_uuid(), 'code', 1, $1, now() - interval '1 minute')`,
    [PHONE],
  );
  expect(await run(null)).toMatchObject({ unknown: 1, nextInMs: null });
  expect(await all('select status from texts')).toEqual([{ status: 'unknown' }]);
});
