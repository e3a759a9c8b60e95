import type { EntityManager } from '@mikro-orm/postgresql';

/** What the ORM knows of a table's columns: `a.user_id as "userId", …`. @param alias of the table in the statement */
export function columnsOf(em: EntityManager, entity: new () => object, alias: string): string {
  return em
    .getMetadata()
    .get(entity)
    .props.flatMap(({ name, fieldNames }) => (fieldNames[0] ? [`${alias}.${fieldNames[0]} as "${name}"`] : []))
    .join(', ');
}

/** Rows to be read only, as instances of their class: without what the ORM hangs on each entity that it manages. */
export function asEntities<T extends object>(entity: { prototype: T }, rows: object[]): T[] {
  return rows.map((row) => Object.setPrototypeOf(row, entity.prototype) as T);
}
