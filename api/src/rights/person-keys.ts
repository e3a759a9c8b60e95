import type { Queryable } from '../base/database.ts';

/** The parameters of the conditions in `personalTables`. */
export interface PersonKeys {
  user: number;
  /** The ids of the person's alerts, including deleted ones. */
  alerts: readonly number[];
  /** The person's addresses and username, in lower case. */
  names: readonly string[];
}

/** Binds `:user`, `:alerts` and `:names` in a statement to a person's keys. */
export function bindPerson(text: string, person: PersonKeys): { text: string; values: unknown[] } {
  const values: unknown[] = [];
  const types = { user: 'int8', alerts: 'int8[]', names: 'text[]' } as const;
  const bound = text.replaceAll(/(?<!:):(user|alerts|names)\b/g, (_match, name: keyof PersonKeys) => {
    values.push(person[name]);
    return `$${values.length}::${types[name]}`;
  });
  return { text: bound, values };
}

/** Reads the ids of all alerts that the user has or had. */
export async function readAlertIds(client: Queryable, userId: number): Promise<number[]> {
  const { rows } = await client.query<{ id: number }>(
    `select id from alerts where user_id = $1
     union select alert_id from former_alerts where user_id = $1 order by id`,
    [userId],
  );
  return rows.map(({ id }) => id);
}
