import { randomInt } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '../base/errors.ts';
import { DeletionStatus, makeRequestId } from '../domain/deletion-request.ts';
import { DeletionRequest } from '../entities/deletion-request.ts';
import { isAdmin } from '../policies/admin.ts';
import { readReason } from './request-input.ts';

const TRIES = 5;

/**
 * Files a request that the admin sees; an account has one open request at a time.
 * @throws AppError VALIDATION, CONFLICT while one is open, and for the admin, whom nobody can delete
 */
export async function requestDeletion(
  em: EntityManager,
  viewer: { id: number },
  reasonText: string,
): Promise<DeletionRequest> {
  if (isAdmin(viewer)) throw new AppError('CONFLICT', "The admin's account can't be deleted.");
  const reason = readReason(reasonText);
  return em.transactional(async (tx) => {
    const [user] = await tx.execute<{ username: string }[]>('select username from users where id = ? for update', [
      viewer.id,
    ]);
    if (!user) throw new AppError('UNAUTHENTICATED', 'Please sign in first.');
    const open = await tx.findOne(DeletionRequest, {
      userId: viewer.id,
      status: { $in: [DeletionStatus.pending, DeletionStatus.approved] },
    });
    if (open) {
      throw new AppError('CONFLICT', `You have asked for this already: request ${open.requestId} is ${open.status}.`);
    }
    return insertRequest(tx, { userId: viewer.id, username: user.username, reason });
  });
}

/** An id that is taken is drawn again. */
async function insertRequest(
  tx: EntityManager,
  { userId, username, reason }: { userId: number; username: string; reason: string },
): Promise<DeletionRequest> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const [made] = await tx.execute<{ id: number | string }[]>(
      `insert into deletion_requests (request_id, user_id, username, reason) values (?, ?, ?, ?)
       on conflict (request_id) do nothing returning id`,
      [makeRequestId(randomInt), userId, username, reason],
    );
    if (made) return tx.findOneOrFail(DeletionRequest, { id: Number(made.id) });
  }
  throw new Error('No free id for a deletion request was found.');
}
