import { type Client, inTransaction, type Pool } from '../base/database.ts';
import { AppError } from '../base/errors.ts';
import { queueFarewellOf } from '../entities/shared/queue-farewell.ts';
import { writeAuditLog } from '../entities/shared/write-audit-log.ts';
import { canAdministrate } from '../policies/admin.ts';
import { canErase } from '../policies/deletion-request.ts';
import { completeRequest } from './complete-request.ts';
import { erasePerson, lockPerson, type Person } from './erase-person.ts';

const DEADLOCK = '40P01';
const TRIES = 3;

export interface ErasureParts {
  pool: Pool;
  /** The counters that carry what a user is called. */
  limits: { keysOf(user: Person): readonly string[] };
}

/**
 * Erases an account whose deletion is approved, with every row that is its user's, in one transaction, and closes its
 * sockets. What stays is the request's id and state, and the act in the log. @returns a sentence with the receipt
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
      // Others take this user's rows in an order of their own; one of two that wait for each other must give way.
      const isDeadlock = error instanceof Error && 'code' in error && error.code === DEADLOCK;
      if (!isDeadlock || tries === TRIES) throw error;
    }
  }
}

async function erase(client: Client, { limits }: ErasureParts, userId: number): Promise<void> {
  const person = await lockPerson(client, userId);
  const requestId = await completeRequest(client, userId, person !== null);
  if (!person) throw new AppError('NOT_FOUND', 'User not found');
  await queueFarewellOf(client, userId);
  await erasePerson(client, person, limits.keysOf(person));
  const act = { actor: 'admin', action: 'deletion-request.execute' } as const;
  await writeAuditLog(client, { ...act, subject: `user ${userId}`, outcome: 'done' });
  await writeAuditLog(client, { ...act, subject: `deletion request ${requestId}`, outcome: 'completed' });
}
