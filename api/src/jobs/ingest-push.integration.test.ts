import { expect, it } from 'vitest';
import { setUpDatabase } from '../../test/database.ts';
import { buildFacts } from '../../test/factories.ts';
import type { ParsedRecord } from '../domain/facts/listing-facts.ts';
import { type IngestDeps, ingestPush } from './ingest-push.ts';

let records: ParsedRecord[] = [];
let deps: IngestDeps;
const now = new Date('2026-01-01T12:00:05Z');
const db = setUpDatabase(async () => {
  deps = { pool: db.pool, parsePage: () => records, now: () => now };
});

it('creates the source at its first push and records its lag', async () => {
  records = [{ facts: buildFacts({ listedAt: new Date('2026-01-01T12:00:00Z') }) }];
  expect(await ingestPush(deps, 'lot', '')).toMatchObject({ source: 'lot', received: 1, accepted: 1 });
  const rows = await db.rows('select kind, items, lag_ms, last_success_at from sources');
  expect(rows).toMatchObject([{ kind: 'push', items: 1, lag_ms: 5000, last_success_at: expect.any(Date) }]);
});

it('refuses more than a thousand items and stores none of them', async () => {
  records = Array.from({ length: 1001 }, () => ({ facts: buildFacts() }));
  await expect(ingestPush(deps, 'large', '')).rejects.toMatchObject({ code: 'TOO_LARGE' });
  const { rowCount } = await db.pool.query("select from listings where source = 'large'");
  expect(rowCount).toBe(0);
});

it('refuses the name of a polled source', async () => {
  await db.pool.query("insert into sources (name, kind) values ('polled', 'marketplace-items')");
  records = [{ facts: buildFacts() }];
  await expect(ingestPush(deps, 'polled', '')).rejects.toMatchObject({ code: 'CONFLICT' });
  const { rowCount } = await db.pool.query("select from listings where source = 'polled'");
  expect(rowCount).toBe(0);
});
