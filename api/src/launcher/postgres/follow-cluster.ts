import type pg from 'pg';
import { limitServerWaits } from '../../placement/limit-server-waits.ts';

/** What migrations of distributed tables need: triggers, foreign keys beside other changes, and tables that refer to copied ones. */
const SETTINGS = `
  set citus.enable_unsafe_triggers = on;
  set citus.multi_shard_modify_mode = 'sequential';
  set citus.enable_local_reference_table_foreign_keys = off`;

/** A statement for whose lock others wait. A block that commits has its own limits. */
const BRIEF =
  /^\s*(alter table|create (or replace )?(constraint )?trigger|drop (trigger|table|index (?!concurrently))|truncate|do \$)/i;
const COMMITS = /\bcommit;/;
const PATIENT = /^\s*(set lock_timeout = 0|reset lock_timeout)/i;

type Query = (text: string, ...rest: unknown[]) => Promise<unknown>;

/**
 * Makes a connection migrate a cluster. A statement waits on the servers no longer than at the coordinator, where others queue
 * behind it, and gets a transaction of its own for that.
 * @param lockMs how long a statement waits for a lock
 * @returns whether a statement of the migration is still running while one of its transaction's own has ended
 */
export async function followCluster(client: pg.ClientBase, lockMs: number): Promise<() => boolean> {
  await client.query(SETTINGS);
  const query = client.query.bind(client) as Query;
  let isPatient = false;
  let isInTransaction = false;
  let isWithin = false;
  const alone = async (given: Parameters<Query>) => {
    isWithin = true;
    await query('begin');
    try {
      await limitServerWaits(query, lockMs);
      const answer = await query(...given);
      isWithin = false;
      await query('commit');
      return answer;
    } catch (error) {
      await query('rollback').catch(() => {});
      throw error;
    } finally {
      isWithin = false;
    }
  };
  const limited: Query = async (...given) => {
    const [text] = given;
    if (typeof text !== 'string') return query(...given);
    if (PATIENT.test(text)) isPatient = !text.includes('reset');
    if (/^\s*(commit|rollback(?!\s+to\b))\b/i.test(text)) isInTransaction = false;
    if (!isInTransaction && !isPatient && BRIEF.test(text) && !COMMITS.test(text)) return alone(given);
    const answer = await query(...given);
    if (/^\s*(begin|start transaction)\b/i.test(text)) {
      isInTransaction = true;
      await limitServerWaits(query, lockMs);
    }
    return answer;
  };
  Object.assign(client, { query: limited });
  return () => isWithin;
}
