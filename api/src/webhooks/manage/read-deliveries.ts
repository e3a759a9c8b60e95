import type { Queryable } from '../../base/database.ts';
import { AppError, refuseInvalid } from '../../base/errors.ts';
import { messageBody } from '../../domain/webhooks/message.ts';
import type { OwnedRow } from '../../entities/owned-rows.ts';

interface Attempt {
  at: Date;
  statusCode: number | null;
  ms: number;
  error: string | null;
  answer: string | null;
}

/** The state of a delivery, as the database stores it. */
export enum DeliveryStatus {
  waiting = 'waiting',
  sending = 'sending',
  delivered = 'delivered',
  failed = 'failed',
  expired = 'expired',
}

/** One message to one webhook, and its attempts. */
export interface Delivery {
  id: number;
  messageId: string;
  cursor: number;
  type: string;
  status: DeliveryStatus;
  createdAt: Date;
  nextTryAt: Date | null;
  settledAt: Date | null;
  body: string;
  /** The newest first, at most 20. */
  attempts: Attempt[];
}

interface DeliveryPage {
  nodes: Delivery[];
  endCursor: string | null;
  hasMore: boolean;
}

type Row = Omit<Delivery, 'body' | 'attempts'> & {
  data: Record<string, unknown>;
  happenedAt: Date;
  attempts: (Omit<Attempt, 'at'> & { at: string })[];
};

const ATTEMPTS = 20;

const deliveries = `
  select d.id, d.message_id as "messageId", e.id as cursor, e.type, e.data, e.created_at as "happenedAt", d.status,
         d.created_at as "createdAt", case when d.status = 'waiting' then d.next_try_at end as "nextTryAt",
         d.settled_at as "settledAt", coalesce(t.attempts, '[]') as attempts
    from webhook_deliveries d
    join webhook_events e on e.id = d.event_id and e.user_id = d.user_id
    left join lateral (
      select json_agg(json_build_object('at', at, 'statusCode', status_code, 'ms', ms, 'error', error,
                                        'answer', answer) order by id desc) as attempts
        from (select * from webhook_attempts where delivery_id = d.id and user_id = d.user_id order by id desc limit ${ATTEMPTS}) a) t on true`;

function toDelivery({ data, happenedAt, attempts, ...row }: Row): Delivery {
  const body = messageBody({ cursor: row.cursor, type: row.type, happenedAt, data });
  return { ...row, body, attempts: attempts.map((attempt) => ({ ...attempt, at: new Date(attempt.at) })) };
}

export async function readDelivery(db: Queryable, viewer: { id: number }, id: number): Promise<Delivery> {
  const { rows } = await db.query<Row>(`${deliveries} where d.id = $1 and d.user_id = $2`, [id, viewer.id]);
  if (!rows[0]) throw new AppError('NOT_FOUND', 'Delivery not found');
  return toDelivery(rows[0]);
}

/**
 * Reads a page of a webhook's deliveries, newest first. @param first from 1
 * @param after an `endCursor`: the page has older deliveries
 * @throws AppError VALIDATION
 */
export async function readDeliveries(
  db: Queryable,
  webhook: OwnedRow,
  { first, after }: { first: number; after?: string | null },
): Promise<DeliveryPage> {
  if (after != null && !/^\d{1,15}$/.test(after)) refuseInvalid({ after: 'This cursor is invalid.' });
  const { rows } = await db.query<Row>(
    // The page is chosen first, as the planner expects few rows of a webhook, and would read all of them with their attempts.
    `${deliveries}
      where d.user_id = $4 and d.id in (
        select id from webhook_deliveries
         where webhook_id = $1 and user_id = $4 and ($2::int8 is null or id < $2) order by id desc limit $3)
      order by d.id desc`,
    [webhook.id, after ?? null, first + 1, webhook.userId],
  );
  const nodes = rows.slice(0, first).map(toDelivery);
  return { nodes, endCursor: nodes.length > 0 ? String(nodes.at(-1)?.id) : null, hasMore: rows.length > first };
}
