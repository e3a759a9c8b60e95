import { type BatchedCleanUp, type BatchResult, FIRST_BATCH } from '../base/batches.ts';
import { channels } from '../base/channels.ts';
import type { Client } from '../base/database.ts';
import { currentRequestId } from '../base/request-id.ts';
import { enqueueCustomerDeletionOf } from '../billing/enqueue-customer-deletion.ts';
import { FREE_PLAN_ID } from '../domain/plan-list.ts';
import { lastSeenAt } from '../entities/user-activity.ts';
import { ADMIN_ID } from '../policies/admin.ts';
import { completeAllRequests, erasePerson, type Person } from './erase-person.ts';

const IDLE_MONTHS = 24;
const NOTICE_DAYS = 30;

/**
 * An account is idle when nobody signed in and no key was used for 24 months, no alert is active, and the plan is Free.
 * The admin's account is never idle.
 */
const IDLE = `u.id <> ${ADMIN_ID} and u.plan_id = ${FREE_PLAN_ID} and ${lastSeenAt('u')} < now() - interval '${IDLE_MONTHS} months'
  and not exists (select from alerts a where a.user_id = u.id and a.is_active and a.expires_at > now())`;

/** An account that is still idle, whose owner was warned 30 days ago. */
const IS_DUE = `u.idle_warned_at < now() - interval '${NOTICE_DAYS} days' and u.idle_warned_at > ${lastSeenAt('u')} and ${IDLE}`;

/**
 * Warns the owners of idle accounts 30 days before they are deleted. An account that can't be mailed is marked as warned
 * too, since it would otherwise be kept for ever. Walks over the accounts by id.
 * @param confirmEmail whether an unconfirmed address gets no mail
 */
export function warnIdleAccounts(confirmEmail: boolean): BatchedCleanUp {
  return async (db, { after, rows } = FIRST_BATCH) => {
    const { rows: counted } = await db.query<{ last: string | null; seen: number; warned: number }>(
      `with batch as materialized (select id from users where id > $1 order by id limit $2),
       due as materialized (
         select u.id, u.email, u.email_confirmed_at from users u
          where u.id in (select id from batch) and ${IDLE}
            and (u.idle_warned_at is null or u.idle_warned_at < ${lastSeenAt('u')})
          for no key update of u skip locked),
       warned as (update users set idle_warned_at = now() where id in (select id from due) returning id),
       mailed as (
         insert into mails (kind, user_id, to_address, data, request_id)
         select 'idle_account', id, email, jsonb_build_object('deletesAt', now() + interval '${NOTICE_DAYS} days'), $4
           from due where email is not null and (not $3 or email_confirmed_at is not null)
         returning pg_notify('${channels.work}', 'send'))
       select (select max(id) from batch)::text as last, (select count(*) from batch)::int4 as seen,
              (select count(*) from warned)::int4 as warned, (select count(*) from mailed)`,
      [after ?? 0, rows, confirmEmail, currentRequestId()],
    );
    const { last = null, seen = 0, warned = 0 } = counted[0] ?? {};
    return { after: seen < rows ? null : last, removed: warned };
  };
}

/** Deletes one account that is still idle 30 days after its owner was warned, in the same way as the admin would. */
export async function deleteIdleAccount(client: Client): Promise<BatchResult> {
  const { rows } = await client.query<Person>(
    `select u.id, u.username, u.email from users u where ${IS_DUE} order by u.idle_warned_at limit 1 for update of u skip locked`,
  );
  const [person] = rows;
  if (!person) return { after: null, removed: 0 };
  // Whoever was seen after that read and before the lock wrote to another table than the one that is locked.
  const { rowCount } = await client.query(`select from users u where u.id = $1 and ${IS_DUE}`, [person.id]);
  if (!rowCount) return { after: 'more', removed: 0 };
  await enqueueCustomerDeletionOf(client, person.id);
  await completeAllRequests(client, person.id);
  await erasePerson(client, person, []);
  return { after: 'more', removed: 1 };
}
