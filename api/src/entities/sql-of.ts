import type { EntityManager } from '@mikro-orm/postgresql';
import { CompiledQuery } from 'kysely';
import type { Queryable } from '../base/database.ts';

/**
 * Runs SQL in the entity manager's transaction, or on a connection of the ORM's pool without one. Changed entities are not
 * flushed before. A statement's name becomes a comment before it, since the ORM's connections keep no prepared statements.
 */
export function sqlOf(em: EntityManager): Queryable {
  return {
    async query<Row>(
      statement: string | { name?: string; text: string; values?: readonly unknown[] },
      values?: readonly unknown[],
    ) {
      const {
        name,
        text,
        values: bound = values ?? [],
      } = typeof statement === 'string' ? { text: statement } : statement;
      const sql = name === undefined ? text : `/* ${name} */ ${text}`;
      const { rows, numAffectedRows } = await em.getKysely().executeQuery(CompiledQuery.raw(sql, [...bound]));
      return { rows: rows as Row[], rowCount: numAffectedRows === undefined ? rows.length : Number(numAffectedRows) };
    },
  };
}
