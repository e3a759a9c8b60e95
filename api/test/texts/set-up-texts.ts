import { afterAll, beforeAll, beforeEach } from 'vitest';
import { inTransaction } from '../../src/base/database.ts';
import { seedPlans } from '../../src/billing/plans.ts';
import { stopTexts } from '../../src/entities/shared/texts.ts';
import { dropOldTexts, makeSmsEngine } from '../../src/notify/channels/sms/sms.ts';
import type { OutgoingText, Texter } from '../../src/vendors/texts/text.ts';
import { makeTestDatabase, type TestDatabase } from '../database.ts';
import { emptyMailTables } from '../mail/mail-fixtures.ts';
import { recordingTexter } from './recording-texter.ts';
import { PHONE, smsParts } from './text-fixtures.ts';

export const failing = (error: unknown): Texter => ({ timeoutMs: 1, send: () => Promise.reject(error) });

/** A database for texts, emptied before each test, and what was texted in it. Call it where tests are described. */
export function setUpTexts() {
  const texts: OutgoingText[] = [];
  const used = {} as { db: TestDatabase };
  beforeAll(async () => {
    used.db = await makeTestDatabase();
    await seedPlans(used.db.pool);
  });
  afterAll(() => used.db.close());
  beforeEach(async () => {
    await emptyMailTables(used.db.pool);
    texts.length = 0;
  });

  const all = async (sql: string, values: unknown[] = []) => (await used.db.pool.query(sql, values)).rows;
  return {
    texts,
    get db() {
      return used.db;
    },
    all,
    /** What a new engine delivers, by default into `texts`; null is a worker that has no provider. */
    run: async (texter: Texter | null = recordingTexter(texts)) =>
      texter
        ? makeSmsEngine(smsParts(used.db, texter)).drain()
        : { unknown: await dropOldTexts(used.db.pool), nextInMs: null },
    statuses: async () => (await all('select status from notifications order by id')).map(({ status }) => status),
    stop: () => inTransaction(used.db.pool, (client) => stopTexts(client, PHONE)),
  };
}
