import type { Queryable } from '../base/database.ts';

/** What conditions of `tables/personal-tables.ts` name. */
export interface TheirRows {
  user: number;
  /** Numbers of their alerts, those that they deleted included. */
  alerts: readonly number[];
  /** Their addresses and username, in lower case. */
  names: readonly string[];
}

/** A statement whose `:user`, `:alerts` and `:names` are the person's. */
export function theirRows(text: string, person: TheirRows): { text: string; values: unknown[] } {
  const values: unknown[] = [];
  const types = { user: 'int8', alerts: 'int8[]', names: 'text[]' } as const;
  const bound = text.replaceAll(/(?<!:):(user|alerts|names)\b/g, (_match, name: keyof TheirRows) => {
    values.push(person[name]);
    return `$${values.length}::${types[name]}`;
  });
  return { text: bound, values };
}

/** Numbers of all alerts that the user has or had. */
export async function readAlertIds(client: Queryable, userId: number): Promise<number[]> {
  const { rows } = await client.query<{ id: number }>(
    `select id from alerts where user_id = $1
     union select alert_id from former_alerts where user_id = $1 order by id`,
    [userId],
  );
  return rows.map(({ id }) => id);
}
