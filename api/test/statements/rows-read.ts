import { interceptPool, type Statement } from '../../lab/intercept-statements.ts';
import { type Client, makePool, type Pool } from '../../src/base/database.ts';
import type { TestDatabase } from '../database.ts';

interface Plan {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  'Rows Removed by Join Filter'?: number;
  Plans?: Plan[];
}

/** The most rows that one step of a plan has read. */
function mostRows(plan: Plan): number {
  const read =
    plan['Actual Rows'] +
    (plan['Rows Removed by Filter'] ?? 0) +
    (plan['Rows Removed by Index Recheck'] ?? 0) +
    (plan['Rows Removed by Join Filter'] ?? 0);
  return Math.max(read * plan['Actual Loops'], ...(plan.Plans ?? []).map(mostRows));
}

/**
 * Runs `work` with a pool of one connection, and each of its statements about some tables once more under "explain", which
 * is rolled back.
 * @param about what the text of such a statement contains
 * @returns the most rows that a step of each statement read, by their texts
 */
export async function rowsRead(
  db: TestDatabase,
  about: RegExp,
  work: (pool: Pool) => Promise<unknown>,
): Promise<{ text: string; rows: number }[]> {
  const pool = makePool(db.url, 1);
  const statements: Statement[] = [];
  interceptPool(pool, (_client, statement, send) => {
    statements.push(statement);
    return send(statement);
  });
  try {
    await work(pool);
  } finally {
    await pool.end();
  }
  const read: { text: string; rows: number }[] = [];
  for (const { text, values } of statements) {
    if (!about.test(text)) continue;
    const explaining = await db.pool.connect();
    await explaining.query('begin');
    const { rows } = await explaining.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
      `explain (analyze, timing off, format json) ${text}`,
      [...values],
    );
    await explaining.query('rollback');
    explaining.release();
    read.push({ text, rows: mostRows(rows[0]?.['QUERY PLAN'][0]?.Plan as Plan) });
  }
  return read;
}

/** `rowsRead` of work in a transaction that is rolled back. */
export const rowsReadWithin = (db: TestDatabase, about: RegExp, work: (client: Client) => Promise<unknown>) =>
  rowsRead(db, about, async (pool) => {
    const client = await pool.connect();
    try {
      await client.query('begin');
      await work(client);
      await client.query('rollback');
    } finally {
      client.release();
    }
  });
