import type { Client } from '../base/database.ts';
import { AppError } from '../base/errors.ts';
import { DeletionStatus } from '../domain/deletion-request.ts';

interface Held {
  request_id: string;
  status: DeletionStatus;
}

function refusal(held: readonly Held[], isThere: boolean): AppError {
  if (held.some(({ status }) => status === DeletionStatus.completed)) {
    return new AppError('CONFLICT', 'The data of this user is erased already.');
  }
  if (!isThere) return new AppError('NOT_FOUND', 'User not found');
  return new AppError('CONFLICT', 'Only a user whose deletion request is approved can be deleted.');
}

/**
 * Completes the user's approved request and empties all of theirs of what they say.
 * @param isThere whether the account exists
 * @returns the id of the completed request
 * @throws AppError CONFLICT when none is approved, NOT_FOUND for nobody
 */
export async function completeRequest(client: Client, userId: number, isThere: boolean): Promise<string> {
  const { rows } = await client.query<Held>(
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

/** Completes all requests of a user whose account is deleted without one, and empties them of what they say. */
export async function completeAllRequests(client: Client, userId: number): Promise<void> {
  await client.query(
    `update deletion_requests
        set username = null, reason = null, notes = null, status = 'completed', completed_at = coalesce(completed_at, now())
      where user_id = $1`,
    [userId],
  );
}
