import { type Client, inTransaction, type Pool } from '../base/database.ts';
import { AppError } from '../base/errors.ts';
import { queueCustomerDeletionOf } from '../entities/shared/queue-customer-deletion.ts';
import { writeAuditLog } from '../entities/shared/write-audit-log.ts';
import { canAdministrate, canErase } from '../policies/admin.ts';
import { completeRequest, erasePerson, lockPerson, type Person } from './erase-person.ts';

const DEADLOCK = '40P01';
const TRIES = 3;

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
  for (let tries = 1; ; tries += 1) {
    try {
      await inTransaction(parts.pool, (client) => erase(client, parts, userId));
      return `All data of this account is erased. The receipt: deleted user ${userId}.`;
    } catch (error) {
      // Other transactions lock this user's rows in another order, so that a deadlock can end either of them.
      const isDeadlock = error instanceof Error && 'code' in error && error.code === DEADLOCK;
      if (!isDeadlock || tries === TRIES) throw error;
    }
  }
}

async function erase(client: Client, { limits }: ErasureParts, userId: number): Promise<void> {
  const person = await lockPerson(client, userId);
  const requestId = await completeRequest(client, userId, person !== null);
  if (!person) throw new AppError('NOT_FOUND', 'User not found');
  await queueCustomerDeletionOf(client, userId);
  await erasePerson(client, person, limits.keysOf(person));
  const act = { actor: 'admin', action: 'deletion-request.execute' } as const;
  await writeAuditLog(client, { ...act, subject: `user ${userId}`, outcome: 'done' });
  await writeAuditLog(client, { ...act, subject: `deletion request ${requestId}`, outcome: 'completed' });
}
