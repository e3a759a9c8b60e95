import { afterEach, expect, it, vi } from 'vitest';
import { insertAlert } from '../../../../test/mail/mail-fixtures.ts';
import { recordingTexter } from '../../../../test/texts/recording-texter.ts';
import { setUpTexts } from '../../../../test/texts/set-up-texts.ts';
import {
  insertDueText,
  insertTexted,
  insertTextedAlert,
  PHONE,
  smsParts,
} from '../../../../test/texts/text-fixtures.ts';
import { type Texter, TextNotTaken } from '../../../vendors/texts/text.ts';
import { makeSmsEngine } from './sms.ts';

const used = setUpTexts();
const { texts, all, run, statuses } = used;
afterEach(() => {
  vi.useRealTimers();
});

const count = async (status: string) => (await statuses()).filter((one) => one === status).length;

it('a broken provider is given one text at a time until it takes one, and the others wait', async () => {
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

it('alerts that make trouble keep no other from being texted', async () => {
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
  await used.db.pool.query("update notifications set due_at = due_at - interval '1 minute'");
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

it('what was not accepted is released without locking what its eraser may want', async () => {
  const { alertId } = await insertTextedAlert(used.db.pool);
  const eraser = await used.db.pool.connect();
  const provider: Texter = {
    timeoutMs: 1_000,
    async send() {
      await eraser.query(`begin; select from alerts where id = ${alertId} for update`);
      throw new TextNotTaken('429');
    },
  };
  const running = run(provider);
  await expect
    .poll(() => all("select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"))
    .toHaveLength(1);
  await eraser.query('select from texts for update nowait');
  await eraser.query('select from notifications for update nowait');
  await eraser.query('commit');
  eraser.release();
  await running;
  expect(await statuses()).toEqual(['waiting']);
});

it('a code whose process ended is unknown also where texts are no longer set up', async () => {
  await used.db.pool.query(
    `insert into texts (id, kind, user_id, to_phone, created_at)
     values (gen_random_uuid(), 'code', 1, $1, now() - interval '1 minute')`,
    [PHONE],
  );
  expect(await run(null)).toMatchObject({ unknown: 1, nextInMs: null });
  expect(await all('select status from texts')).toEqual([{ status: 'unknown' }]);
});
