import type { Queryable } from '../../base/database.ts';
import { alertName } from '../../domain/alert-name.ts';
import { keysOf, type OwnedRow } from '../../entities/owned-rows.ts';
import type { EndedCar } from '../../messages/ended-cars.ts';

/** The cars of a message that can no longer be bought. */
export interface EndedCars {
  /** The first of them. */
  shown: EndedCar[];
  count: number;
}

/** Most cars that a message names. */
const MAX_SHOWN = 20;

interface EndedRow {
  messageId: string;
  make: string;
  model: string | null;
  year: number | null;
  price: number | null;
  status: string;
  isSaved: boolean;
  count: number;
}

/**
 * SQL: the notifications of a message that is being written, or those of claimed messages; $1 are their ids, and $2 those of
 * their users.
 */
const claimed = (column: string): string => `
  select ${column}::text as message_id, user_id, listing_id, kind from notifications
   where ${column} = any($1::uuid[]) and user_id = any($2::int8[]) and status = 'sending'`;
const rowsOf = {
  text: `select 'text' as message_id, user_id, listing_id, kind from notifications
          where id = any($1::int8[]) and user_id = any($2::int8[])`,
  mail_id: claimed('mail_id'),
  push_id: claimed('push_id'),
};

/** Reads the cars whose end the notifications tell, by message; messages without such cars are left out. */
export async function readEndedCars(
  queryable: Queryable,
  of: keyof typeof rowsOf,
  rows: readonly OwnedRow<string | number>[],
): Promise<Map<string, EndedCars>> {
  const read = await queryable.query<EndedRow>({
    name: `notify-ended-cars-of-${of}`,
    text: `select "messageId", make, model, year, price, status, "isSaved", count
       from (
         select n.message_id as "messageId", l.make, l.model, l.year, l.price, l.status, n.listing_id,
                exists (select from saved_listings where user_id = n.user_id and listing_id = n.listing_id and removed_at is null) as "isSaved",
                row_number() over (partition by n.message_id order by n.listing_id desc) as rank,
                count(*) over (partition by n.message_id)::int4 as count
           from (${rowsOf[of]}) n
          cross join lateral (select * from listings where id = n.listing_id offset 0) l
          where n.kind = 'sold'
       ) ranked where rank <= ${MAX_SHOWN} order by rank`,
    values: keysOf(rows),
  });
  const cars = new Map<string, EndedCars>();
  for (const { messageId, count, make, model, year, price, status, isSaved } of read.rows) {
    const ended = cars.get(messageId) ?? { shown: [], count };
    const name = [year, alertName({ make, model })].filter((part) => part !== null).join(' ');
    ended.shown.push({ name, price, isSold: status === 'sold', isSaved });
    cars.set(messageId, ended);
  }
  return cars;
}
