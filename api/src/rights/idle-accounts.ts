import { type Batch, type BatchedCleanUp, type BatchResult, FIRST_BATCH } from '../base/batches.ts';
import { channels } from '../base/channels.ts';
import type { Client, Queryable } from '../base/database.ts';
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

/** Of some accounts ($1), those that are idle and whose owner was not warned since they were last used. */
const toWarn = {
  name: 'idle-accounts-to-warn',
  text: `select u.id from users u
          where u.id = any ($1::int8[]) and ${IDLE} and (u.idle_warned_at is null or u.idle_warned_at < ${lastSeenAt('u')})`,
};
/** Of some accounts ($1), those that are to be deleted. */
const toDelete = {
  name: 'idle-accounts-to-delete',
  text: `select u.id from users u where u.id = any ($1::int8[]) and ${IS_DUE}`,
};

async function idsOf(db: Queryable, statement: typeof toWarn, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const { rows } = await db.query<{ id: number }>({ ...statement, values: [ids] });
  return rows.map(({ id }) => id);
}

/**
 * Warns the owners of idle accounts 30 days before they are deleted. An account that can't be mailed is marked as warned
 * too, since it would otherwise be kept for ever. Walks over the accounts by id. Where the tables are distributed, users are
 * at each server, and what says whether they are idle at one.
 * @param confirmEmail whether an unconfirmed address gets no mail
 */
export function warnIdleAccounts(confirmEmail: boolean): BatchedCleanUp {
  return async (db, { after, rows: limit } = FIRST_BATCH) => {
    const { rows } = await db.query<{ id: number; mayBeIdle: boolean }>(
      `select id, id <> ${ADMIN_ID} and plan_id = ${FREE_PLAN_ID} and last_seen_at < now() - interval '${IDLE_MONTHS} months' as "mayBeIdle"
         from users where id > $1 order by id limit $2`,
      [after ?? 0, limit],
    );
    const last = rows.length < limit ? null : String(rows.at(-1)?.id);
    const idle = await idsOf(
      db,
      toWarn,
      rows.flatMap(({ id, mayBeIdle }) => (mayBeIdle ? [id] : [])),
    );
    // One that another transaction changed before it was locked, such as by a plan, may not be idle any more.
    const warned = await idsOf(db, toWarn, await idsOf(db, lockToWarn, idle));
    if (warned.length > 0) await warn(db, warned, confirmEmail);
    return { after: last, removed: warned.length };
  };
}

const lockToWarn = {
  name: 'idle-accounts-lock-to-warn',
  text: 'select id from users where id = any ($1::int8[]) order by id for no key update skip locked',
};

async function warn(db: Queryable, ids: readonly number[], confirmEmail: boolean): Promise<void> {
  await db.query('update users set idle_warned_at = now() where id = any ($1::int8[])', [ids]);
  const { rowCount } = await db.query({
    name: 'enqueue-idle-mails',
    text: `insert into mails (kind, user_id, to_address, data, request_id)
           select 'idle_account', id, email, jsonb_build_object('deletesAt', now() + interval '${NOTICE_DAYS} days'), $3
             from users where id = any ($1::int8[]) and email is not null and (not $2 or email_confirmed_at is not null)`,
    values: [ids, confirmEmail, currentRequestId()],
  });
  if (rowCount) await db.query("select pg_notify($1, 'send')", [channels.work]);
}

/** Accounts that are looked at before one is deleted. */
const CANDIDATES = 500;

/**
 * Deletes one account that is still idle 30 days after its owner was warned, in the same way as the admin would. Walks over
 * the accounts by id.
 */
export async function deleteIdleAccount(client: Client, { after }: Batch = FIRST_BATCH): Promise<BatchResult> {
  const { rows } = await client.query<{ id: number }>(
    `select id from users
      where id > $1 and plan_id = ${FREE_PLAN_ID} and idle_warned_at < now() - interval '${NOTICE_DAYS} days' order by id limit ${CANDIDATES}`,
    [Number(after) || 0],
  );
  const candidates = rows.map(({ id }) => id);
  const [next] = (await idsOf(client, toDelete, candidates)).toSorted((a, b) => a - b);
  if (next === undefined)
    return { after: candidates.length < CANDIDATES ? null : String(candidates.at(-1)), removed: 0 };
  const { rows: locked } = await client.query<Person>({
    name: 'idle-accounts-lock-to-delete',
    text: 'select id, username, email from users where id = any ($1::int8[]) for update skip locked',
    values: [[next]],
  });
  const [person] = locked;
  // Whoever was seen after that read and before the lock wrote to another table than the one that is locked.
  if (!person || (await idsOf(client, toDelete, [next])).length === 0) return { after: String(next), removed: 0 };
  await enqueueCustomerDeletionOf(client, person.id);
  await completeAllRequests(client, person.id);
  await erasePerson(client, person, []);
  return { after: String(next), removed: 1 };
}
