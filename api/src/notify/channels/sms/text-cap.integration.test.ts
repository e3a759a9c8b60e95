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
import { TextRefused } from '../../../vendors/texts/text.ts';
import { makeSmsEngine } from './sms.ts';

const used = setUpTexts();
const { texts, all, run, statuses } = used;

describe("the month's cap", () => {
  const fill = (userId: number, count: number, columns = '') =>
    used.db.pool.query(
      `insert into texts (id, kind, user_id, to_phone, status${columns ? ', created_at' : ''})
       select gen_random_uuid(), 'match', $1, $2, 'sent'${columns} from generate_series(1, $3)`,
      [userId, PHONE, count],
    );

  it('holds under parallel claims, and one mail tells of it', async () => {
    const userId = await insertTexted(used.db.pool);
    await fill(userId, 97);
    await fill(userId, 500, ", date_trunc('month', now(), 'UTC') - interval '1 second'");
    for (let n = 0; n < 16; n += 1) {
      await insertDueText(used.db.pool, await insertAlert(used.db.pool, userId, { text_notifications: true }));
    }
    const engines = Array.from({ length: 6 }, () => makeSmsEngine(smsParts(used.db, recordingTexter(texts))));
    for (let round = 0; round < 40; round += 1) {
      const results = await Promise.all(engines.map((engine) => engine.drain()));
      if (results.every(({ nextInMs }) => nextInMs === null)) break;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(texts).toHaveLength(3);
    const left = await statuses();
    expect(left.filter((status) => status === 'dropped')).toHaveLength(13);
    const mails = await all('select kind, data from mails');
    expect(mails).toEqual([
      { kind: 'text_cap', data: { cap: 100, resetsAt: expect.stringMatching(/-01T00:00:00.000Z$/) } },
    ]);
  });

  it('is larger on a larger plan, and told of again there', async () => {
    const { userId, alertId } = await insertTextedAlert(used.db.pool);
    await fill(userId, 100);
    await run();
    expect(texts).toEqual([]);
    await used.db.pool.query('update users set plan_id = 3');
    await insertDueText(used.db.pool, alertId);
    await run();
    expect(texts).toHaveLength(1);
    await fill(userId, 399);
    await used.db.pool.query('update alerts set last_texted_at = null');
    await insertDueText(used.db.pool, alertId);
    await run();
    expect(texts).toHaveLength(1);
    expect((await all("select data ->> 'cap' as cap from mails order by created_at")).map(({ cap }) => cap)).toEqual([
      '100',
      '500',
    ]);
  });

  it('does not count what the provider refused', async () => {
    const { userId, alertId } = await insertTextedAlert(used.db.pool);
    await fill(userId, 99);
    await run(failing(new TextRefused('no', 'other')));
    await used.db.pool.query('update alerts set last_texted_at = null');
    await insertDueText(used.db.pool, alertId);
    await run();
    expect(texts).toHaveLength(1);
  });
});
