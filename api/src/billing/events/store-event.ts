import { channels } from '../../base/channels.ts';
import type { Queryable } from '../../base/database.ts';
import { deleteByPages, FIRST_PIECE, type InPieces } from '../../base/pieces.ts';
import type { PaymentEvent } from '../../vendors/payments/payments.ts';

/** Keeps that something happened, once, and wakes the worker. @returns false when it was kept before */
export async function storeEvent(db: Queryable, { id, type, objectId, customerId }: PaymentEvent): Promise<boolean> {
  const { rowCount } = await db.query(
    `with stored as (
       insert into billing_events (id, type, object_id, customer_id) values ($1, $2, $3, $4)
       on conflict do nothing returning id
     ) select pg_notify('${channels.work}', 'billing') from stored`,
    [id, type, objectId, customerId],
  );
  return rowCount === 1;
}

/** Stripe repeats an event for three days at most. */
export const purgeEvents: InPieces = (db, piece = FIRST_PIECE) =>
  deleteByPages(db, { table: 'billing_events', where: "settled_at < now() - interval '30 days'" }, piece);
