import { describe, expect, it } from 'vitest';
import { insertAlert } from '../../../../test/mail/mail-fixtures.ts';
import { recordingTexter } from '../../../../test/texts/recording-texter.ts';
import { failing, setUpTexts } from '../../../../test/texts/set-up-texts.ts';
import {
  insertDueText,
  insertTexted,
  insertTextedAlert,
  PHONE,
  smsParts,
} from '../../../../test/texts/text-fixtures.ts';
import { TextNotTaken } from '../../../vendors/texts/text.ts';
import { claimText } from './claim-text.ts';
import { recordDelivery } from './record-delivery.ts';
import { makeSmsEngine } from './sms.ts';

const used = setUpTexts();
const { texts, all, run, statuses } = used;

describe('at most once', () => {
  it('however many engines run', async () => {
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
    const { alertId } = await insertTextedAlert(used.db.pool);
    const claimed = await claimText(smsParts(used.db, recordingTexter(texts)), alertId);
    expect(claimed).toMatchObject({ text: { to: PHONE } });
    expect((await run()).nextInMs).toBeGreaterThan(10_000);
    await used.db.pool.query("update texts set created_at = now() - interval '1 minute'");
    expect(await run()).toMatchObject({ unknown: 1, sent: 0 });
    expect(await statuses()).toEqual(['unknown']);
    await run();
    expect(texts).toEqual([]);
  });

  it('an answer that says nothing leaves it unknown', async () => {
    await insertTextedAlert(used.db.pool);
    expect(await run(failing(new Error('timeout of 15000ms exceeded')))).toMatchObject({ unknown: 1 });
    expect(await all('select status, error from texts')).toEqual([
      { status: 'unknown', error: 'timeout of 15000ms exceeded' },
    ]);
    await run();
    expect(texts).toEqual([]);
  });

  it('what was certainly not accepted is tried again, without waiting for the five minutes', async () => {
    const { alertId } = await insertTextedAlert(used.db.pool);
    const { nextInMs } = await run(failing(new TextNotTaken('429')));
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

  it('but not for ever', async () => {
    await insertTextedAlert(used.db.pool);
    await used.db.pool.query("update notifications set created_at = now() - interval '2 hours'");
    await run(failing(new TextNotTaken('429')));
    expect(await statuses()).toEqual(['failed']);
  });
});

describe('what the provider reports later', () => {
  it('completes a text of unknown fate, once and in any order', async () => {
    await insertTextedAlert(used.db.pool);
    await run(failing(new Error('reset')));
    const [{ id }] = await all('select id from texts');
    const tell = (status: string, sid = 'SM1', error: string | null = null) =>
      recordDelivery(used.db.pool, { textId: id, sid, status, error });
    expect(await tell('delivered')).toBe(true);
    expect(await tell('sent')).toBe(true);
    expect(await tell('failed', 'SM1', '30003')).toBe(true);
    expect(await tell('delivered', 'SM2')).toBe(false);
    expect(await tell('made-up')).toBe(false);
    expect(await all('select status, sid, delivery, delivery_error from texts')).toEqual([
      { status: 'sent', sid: 'SM1', delivery: 'delivered', delivery_error: null },
    ]);
    expect(await statuses()).toEqual(['sent']);
  });
});
