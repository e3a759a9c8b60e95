import { describe, expect, it } from 'vitest';
import { interceptPool } from '../../../../lab/intercept-statements.ts';
import { insertAlert } from '../../../../test/mail/mail-fixtures.ts';
import {
  failing,
  insertDueText,
  insertTexted,
  insertTextedAlert,
  recordingTexter,
  setUpTexts,
  smsParts,
} from '../../../../test/texts/text-fixtures.ts';
import { inTransaction, makePool } from '../../../base/database.ts';
import { dailySegments } from '../../../domain/text-limits.ts';
import { followChosenLayout } from '../../../placement/follow-layout.ts';
import { type Texter, TextNotAccepted, TextRefused } from '../../../vendors/texts/text.ts';
import { countSegments, type TextRules } from './count-segments.ts';
import { makeSmsEngine } from './sms.ts';

const { db, texts, all } = setUpTexts();
const rules = (more: Partial<TextRules> = {}): TextRules => ({
  countries: ['US', 'CA'],
  segmentsPerDay: 100,
  supportEmail: 'support@lotwatch.example',
  ...more,
});
const run = (more: Partial<TextRules> = {}, texter: Texter = recordingTexter(texts)) =>
  makeSmsEngine(smsParts(db, texter, { rules: rules(more) })).drain();
const counts = () => all('select kind, segments from text_counts order by kind');
const dropped = () =>
  all("select held_by as by, count(*)::int as count from notifications where status = 'dropped' group by 1 order by 1");
const mails = () => all("select kind, to_address as to, data ->> 'texts' as texts from mails order by created_at");

/** So many buyers, each with a text that is due. */
async function buyers(count: number): Promise<void> {
  for (let made = 0; made < count; made += 1) {
    const userId = await insertTexted(db.pool, { phone: `+1512555${String(1000 + made)}` });
    await insertDueText(db.pool, await insertAlert(db.pool, userId, { text_notifications: true }));
  }
}

it('a fifth of the day’s segments is for codes, and the rest for texts about cars', () => {
  expect([5, 6, 100, 5000].map(dailySegments)).toEqual([
    { code: 1, match: 4 },
    { code: 2, match: 4 },
    { code: 20, match: 80 },
    { code: 1000, match: 4000 },
  ]);
});

describe('the limit of the service a day', () => {
  it('holds exactly under workers that claim at the same time; what exceeds it is dropped, and the operators know', async () => {
    await buyers(40);
    const engines = Array.from({ length: 6 }, () => run({ segmentsPerDay: 16 }));
    await Promise.all(engines);
    expect(texts).toHaveLength(12);
    expect(await counts()).toEqual([{ kind: 'match', segments: 12 }]);
    expect(await dropped()).toEqual([{ by: 'service_limit', count: 28 }]);
    expect(await mails()).toEqual([{ kind: 'text_limit', to: 'support@lotwatch.example', texts: 'match' }]);
    await buyers(3);
    await run({ segmentsPerDay: 16 });
    expect(texts).toHaveLength(12);
    expect(await mails()).toHaveLength(1);
  });

  it('counts codes separately, at the same time too', async () => {
    const count = (kind: 'code' | 'match') =>
      inTransaction(db.pool, (client) => countSegments(client, kind, 1, rules({ segmentsPerDay: 50 })));
    const results = await Promise.all(Array.from({ length: 30 }, () => count('code')));
    expect(results.filter(Boolean)).toHaveLength(10);
    expect(await count('match')).toBe(true);
    expect(await counts()).toEqual([
      { kind: 'code', segments: 10 },
      { kind: 'match', segments: 1 },
    ]);
    expect(await mails()).toMatchObject([{ texts: 'code' }]);
  });

  it('never lets a text through that is longer than what is left', async () => {
    const count = (segments: number) =>
      inTransaction(db.pool, (client) => countSegments(client, 'match', segments, rules({ segmentsPerDay: 5 })));
    expect([await count(5), await count(3), await count(2), await count(1), await count(1)]).toEqual([
      false,
      true,
      false,
      true,
      false,
    ]);
  });

  it.each([
    ['was refused', new TextRefused('no', 'number'), 0],
    ['was certainly not accepted', new TextNotAccepted('busy'), 0],
    ['may have been accepted', new Error('no answer'), 1],
  ])('gives back the segments of a text that %s: %#', async (_what, error, left) => {
    await insertTextedAlert(db.pool);
    await db.pool.query("update notifications set held_by = 'snoozed'");
    await run({}, failing(error));
    expect(await all('select kind from texts')).toEqual([{ kind: 'summary' }]);
    expect(await counts()).toEqual([{ kind: 'match', segments: left }]);
  });

  it('begins again on the next day', async () => {
    await buyers(2);
    await db.pool.query(
      "insert into text_counts (day, kind, segments) values ((now() at time zone 'UTC')::date - 1, 'match', 80)",
    );
    await run();
    expect(texts).toHaveLength(2);
  });
});

describe('the countries', () => {
  it.each([
    ['+15125550123', true],
    ['+16045550123', true],
    ['+18765550123', false],
    ['+447911123456', false],
    ['+88213001234', false],
  ])('of %s: texted is %s', async (phone, isTexted) => {
    await insertTextedAlert(db.pool, {}, { phone });
    await run();
    expect(texts.map(({ to }) => to)).toEqual(isTexted ? [phone] : []);
    expect(await dropped()).toEqual(isTexted ? [] : [{ by: 'country', count: 1 }]);
  });

  it('are those of the setting', async () => {
    await insertTextedAlert(db.pool, {}, { phone: '+447400123456' });
    await run({ countries: ['GB'] });
    expect(texts).toHaveLength(1);
  });
});

it('a worker that is stopped while it holds the count of the day is ended by the server soon', async () => {
  await buyers(1);
  const pool = makePool(db.url, 2);
  followChosenLayout(pool);
  const limits: unknown[] = [];
  interceptPool(pool, async (_client, statement, send) => {
    if (statement.text === 'commit') {
      const { rows } = await send({ name: '', text: 'show idle_in_transaction_session_timeout', values: [] });
      limits.push(rows[0]?.idle_in_transaction_session_timeout);
    }
    return send(statement);
  });
  await makeSmsEngine({ ...smsParts(db, recordingTexter(texts), { rules: rules() }), pool }).drain();
  await pool.end();
  expect(await counts()).toEqual([{ kind: 'match', segments: expect.any(Number) }]);
  expect(limits).toContain('4s');
});
