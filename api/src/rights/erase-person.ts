import { lockContended, locks } from '../base/advisory-lock.ts';
import { channels } from '../base/channels.ts';
import type { Client, Pool } from '../base/database.ts';
import { AppError } from '../base/errors.ts';
import { inRetriedTransaction } from '../base/retried-transaction.ts';
import { enqueueCustomerDeletionOf } from '../billing/enqueue-customer-deletion.ts';
import { DeletionStatus } from '../domain/deletion-request.ts';
import { writeAuditLog } from '../entities/audit-log.ts';
import { mailboxKey } from '../notify/enqueue-mail.ts';
import { isDistributed } from '../placement/layout.ts';
import { waitForSearchesOnServers } from '../placement/server-locks.ts';
import { canAdministrate, canErase } from '../policies/admin.ts';
import { bindPerson, type PersonKeys, readAlertIds, readPhones } from './person-keys.ts';
import { type PersonalTable } from './personal-table.ts';
import { personalTables } from './personal-tables.ts';

interface LockedRequest {
  request_id: string;
  status: DeletionStatus;
}

function refusal(held: readonly LockedRequest[], isThere: boolean): AppError {
  if (held.some(({ status }) => status === DeletionStatus.completed)) {
    return new AppError('CONFLICT', 'The data of this user is erased already.');
  }
  if (!isThere) return new AppError('NOT_FOUND', 'User not found');
  return new AppError('CONFLICT', 'Only a user whose deletion request is approved can be deleted.');
}

/**
 * Completes the user's approved deletion request and clears the texts of all their requests.
 * @param isThere whether the account exists
 * @returns the id of the completed request
 * @throws AppError CONFLICT when none is approved, NOT_FOUND for an unknown user
 */
async function completeRequest(client: Client, userId: number, isThere: boolean): Promise<string> {
  const { rows } = await client.query<LockedRequest>(
    'select request_id, status from deletion_requests where user_id = $1 order by id for update',
    [userId],
  );
  const approved = rows.find(({ status }) => status === DeletionStatus.approved);
  if (!approved) throw refusal(rows, isThere);
  await client.query(
    `update deletion_requests
        set username = null, reason = null, notes = null,
            status = case request_id when $2 then 'completed' else status end,
            completed_at = case request_id when $2 then now() else completed_at end
      where user_id = $1`,
    [userId, approved.request_id],
  );
  return approved.request_id;
}

/** Completes all requests of a user whose account is deleted without an approved one, and clears their texts. */
export async function completeAllRequests(client: Client, userId: number): Promise<void> {
  await client.query(
    `update deletion_requests
        set username = null, reason = null, notes = null, status = 'completed', completed_at = coalesce(completed_at, now())
      where user_id = $1`,
    [userId],
  );
}

export interface Person {
  id: number;
  username: string;
  email: string | null;
}

/**
 * Locks the account until the transaction ends. Writers of rows of this user wait, and then find no user.
 * @returns null when the account does not exist
 */
export async function lockPerson(client: Client, userId: number): Promise<Person | null> {
  const { rows } = await client.query<Person>({
    name: 'lock-person',
    text: 'select id, username, email from users where id = $1 for update',
    values: [userId],
  });
  return rows[0] ?? null;
}

/**
 * Reads the names by which unlinked rows are found: the username, the address, and the addresses of their mails. An
 * address that another account has too counts only when this one has confirmed it.
 */
async function readNames(client: Client, userId: number, alerts: readonly number[]): Promise<string[]> {
  const known = `select lower(btrim(email)) as address, email_confirmed_at is not null as confirmed from users where id = :user
    union all select lower(btrim(to_address)), false from mails where kind <> 'contact' and (${personalTables.mails.owned})`;
  const { rows } = await client.query<{ name: string }>(
    bindPerson(
      `select username_key as name from users where id = :user
       union select address from (${known}) k
        where address is not null
          and (confirmed or not exists (select from users o where lower(o.email) = k.address and o.id <> :user))`,
      { user: userId, alerts, names: [], phones: [] },
    ),
  );
  return rows.map(({ name }) => name);
}

/**
 * Locks the alerts. Searches and backfills from before have committed then, and later ones find no alert. A backfill locks
 * an alert before it waits for searches, and so does this.
 * @throws an error for which `isLockNotAvailable`, where the user's server can't say yet what a search has written there
 */
async function lockAlerts(client: Client, userId: number): Promise<number[]> {
  // Where the rows are on another server, its writers lock the account there.
  if (isDistributed()) {
    await client.query({
      name: 'lock-account-with-its-rows',
      text: 'select id from users where id = $1 for update',
      values: [userId],
    });
  }
  await client.query('select from alerts where user_id = $1 order by id for update', [userId]);
  await lockContended(client, locks.search);
  await waitForSearchesOnServers(client, [userId]);
  // Searches of the version before hold this one.
  await client.query('select pg_advisory_xact_lock($1)', [locks.backfill]);
  return readAlertIds(client, userId);
}

/**
 * Erases every row of a person whose account is locked, and notifies the API processes to close their sockets. Deletion
 * requests stay as the receipt; the caller completes and empties them.
 */
export async function erasePerson(client: Client, person: Person, rateKeys: readonly string[]): Promise<void> {
  const alerts = await lockAlerts(client, person.id);
  const names = await readNames(client, person.id, alerts);
  const keys: PersonKeys = { user: person.id, alerts, names, phones: await readPhones(client, person.id) };
  for (const { table, owned, unlinked } of Object.values<PersonalTable>(personalTables)) {
    if (table === 'deletion_requests') continue;
    for (const condition of unlinked === undefined ? [owned] : [owned, unlinked])
      await client.query(bindPerson(`delete from ${table} where ${condition}`, keys));
  }
  await client.query('delete from rate_limits where key = any ($1)', [rateKeys]);
  await client.query('delete from mail_counts where mailbox = any ($1)', [names.map(mailboxKey)]);
  await client.query('select pg_notify($1, $2)', [channels.sessions, String(person.id)]);
}

interface ErasureParts {
  pool: Pool;
  /** The rate limit counters whose keys hold the user's name or address. */
  limits: { keysOf(user: Person): readonly string[] };
}

/**
 * Erases an account whose deletion is approved, with every row of its user, in one transaction, and closes its sockets.
 * The request's id and state stay, and the entries in the audit log.
 * @returns a sentence with the receipt
 * @throws AppError FORBIDDEN, CONFLICT without an approved request or for the admin, NOT_FOUND
 */
export async function executeDeletion(parts: ErasureParts, viewer: { id: number }, userId: number): Promise<string> {
  if (!canAdministrate(viewer)) throw new AppError('FORBIDDEN', 'Access Denied');
  if (!canErase(viewer, { id: userId })) throw new AppError('CONFLICT', "The admin's account can't be deleted.");
  // Other transactions lock this user's rows in another order, so that a deadlock can end either of them.
  await inRetriedTransaction(parts.pool, (client) => erase(client, parts, userId));
  return `All data of this account is erased. The receipt: deleted user ${userId}.`;
}

async function erase(client: Client, { limits }: ErasureParts, userId: number): Promise<void> {
  const person = await lockPerson(client, userId);
  const requestId = await completeRequest(client, userId, person !== null);
  if (!person) throw new AppError('NOT_FOUND', 'User not found');
  await enqueueCustomerDeletionOf(client, userId);
  await erasePerson(client, person, limits.keysOf(person));
  const act = { actor: 'admin', action: 'deletion-request.execute' } as const;
  await writeAuditLog(client, { ...act, subject: `user ${userId}`, outcome: 'done' });
  await writeAuditLog(client, { ...act, subject: `deletion request ${requestId}`, outcome: 'completed' });
}
