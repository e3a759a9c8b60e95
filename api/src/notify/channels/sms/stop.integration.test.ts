import { describe, expect, it } from 'vitest';
import { insertAlert } from '../../../../test/mail/mail-fixtures.ts';
import { failing, setUpTexts } from '../../../../test/texts/set-up-texts.ts';
import { insertDueText, insertTexted, insertTextedAlert, PHONE } from '../../../../test/texts/text-fixtures.ts';
import { startTexts } from '../../../entities/shared/texts.ts';
import { type Texter, TextRefused } from '../../../vendors/texts/text.ts';

const used = setUpTexts();
const { texts, all, run, statuses, stop } = used;

describe('STOP', () => {
  it('drops what is queued, and START lets new texts go', async () => {
    const { alertId } = await insertTextedAlert(used.db.pool);
    await insertDueText(used.db.pool, alertId);
    await stop();
    expect(await statuses()).toEqual(['dropped', 'dropped']);
    await stop();
    await startTexts(used.db.pool, PHONE);
    await run();
    expect(texts).toEqual([]);
    await insertDueText(used.db.pool, alertId);
    await run();
    expect(texts).toHaveLength(1);
  });

  it('that the provider knows of first is kept to', async () => {
    const { alertId } = await insertTextedAlert(used.db.pool);
    const other = await insertAlert(used.db.pool, (await all('select id from users'))[0].id, {
      text_notifications: true,
    });
    await run(failing(new TextRefused('21610', 'stopped')));
    await insertDueText(used.db.pool, alertId);
    await insertDueText(used.db.pool, other);
    await run();
    expect(await statuses()).toEqual(['failed', 'dropped', 'dropped']);
    expect(texts).toEqual([]);
  });

  it('beside engines that are at work lets at most those be sent that were under way', async () => {
    const userId = await insertTexted(used.db.pool);
    for (let n = 0; n < 12; n += 1) {
      await insertDueText(used.db.pool, await insertAlert(used.db.pool, userId, { text_notifications: true }));
    }
    let stopped = 0;
    const slow: Texter = {
      timeoutMs: 1_000,
      async send(text) {
        if (texts.length === 2) await stop().then(() => (stopped = texts.length));
        texts.push(text);
        return { sid: null };
      },
    };
    await Promise.all([run(slow), run(slow), run(slow)]);
    expect(stopped).toBeGreaterThan(0);
    expect(texts.length).toBeLessThanOrEqual(stopped + 3);
    const left = await statuses();
    expect(left.filter((status) => status === 'sent')).toHaveLength(texts.length);
    expect(left.filter((status) => status === 'dropped')).toHaveLength(12 - texts.length);
  });

  it('waits for a claim of that owner before it holds anything that the claim may want', async () => {
    await insertTextedAlert(used.db.pool);
    const claim = await used.db.pool.connect();
    await claim.query('begin; select from users for no key update');
    const stopping = stop();
    await expect
      .poll(() => all("select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"))
      .toHaveLength(1);
    await claim.query('select from notifications for update nowait');
    await claim.query('commit');
    claim.release();
    await stopping;
    expect(await statuses()).toEqual(['dropped']);
  });
});
