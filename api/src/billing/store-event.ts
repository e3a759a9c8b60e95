import { channels } from '../base/channels.ts';
import type { Queryable } from '../base/database.ts';
import { currentRequestId } from '../base/request-id.ts';
import type { PaymentEvent } from '../vendors/payments/payments.ts';

/** Stores a payment event once and wakes the worker. @returns false when the event was stored before */
export async function storeEvent(db: Queryable, { id, type, objectId, customerId }: PaymentEvent): Promise<boolean> {
  const { rowCount } = await db.query(
    `with stored as (
       insert into billing_events (id, type, object_id, customer_id, request_id) values ($1, $2, $3, $4, $5)
       on conflict do nothing returning id
     ) select pg_notify('${channels.work}', 'billing') from stored`,
    [id, type, objectId, customerId, currentRequestId()],
  );
  return rowCount === 1;
}
