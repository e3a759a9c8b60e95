import type { Queryable } from '../base/database.ts';

/** The parameters of the conditions in `personalTables`. */
export interface PersonKeys {
  user: number;
  /** The ids of the person's alerts, including deleted ones. */
  alerts: readonly number[];
  /** The person's addresses and username, in lower case. */
  names: readonly string[];
  /** The numbers that the account has confirmed, and those to which it was sent texts. */
  phones: readonly string[];
}

/** Binds `:user`, `:alerts`, `:names` and `:phones` in a statement to a person's keys. */
export function bindPerson(text: string, person: PersonKeys): { text: string; values: unknown[] } {
  const values: unknown[] = [];
  const types = { user: 'int8', alerts: 'int8[]', names: 'text[]', phones: 'text[]' } as const;
  const bound = text.replaceAll(/(?<!:):(user|alerts|names|phones)\b/g, (_match, name: keyof PersonKeys) => {
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

/** Reads the numbers that a user has confirmed, now or earlier: only those get texts about matches. */
export async function readPhones(client: Queryable, userId: number): Promise<string[]> {
  const { rows } = await client.query<{ phone: string }>(
    `select phone from users where id = $1 and phone_confirmed_at is not null and phone is not null
     union select to_phone from texts where user_id = $1 and kind <> 'code'`,
    [userId],
  );
  return rows.map(({ phone }) => phone);
}
