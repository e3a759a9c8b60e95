import type { EntityManager } from '@mikro-orm/postgresql';
import { CompiledQuery } from 'kysely';
import type { Queryable } from '../base/database.ts';

/**
 * Runs SQL in the entity manager's transaction, or on a connection of the ORM's pool without one. Changed entities are not
 * flushed before. A statement's name is ignored, since the ORM's connections keep no prepared statements.
 */
export function sqlOf(em: EntityManager): Queryable {
  return {
    async query<Row>(statement: string | { text: string; values?: readonly unknown[] }, values?: readonly unknown[]) {
      const { text, values: bound = values ?? [] } = typeof statement === 'string' ? { text: statement } : statement;
      const { rows, numAffectedRows } = await em.getKysely().executeQuery(CompiledQuery.raw(text, [...bound]));
      return { rows: rows as Row[], rowCount: numAffectedRows === undefined ? rows.length : Number(numAffectedRows) };
    },
  };
}
