import { randomInt } from 'node:crypto';
import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '../base/errors.ts';
import { DeletionStatus, makeRequestId } from '../domain/deletion-request.ts';
import { storableText } from '../domain/facts/listing-facts.ts';
import { deletionNotesSchema, deletionRequestSchema } from '../domain/forms/deletion-request.ts';
import { parseForm } from '../domain/validate-form.ts';
import { writeAuditLog } from '../entities/audit-log.ts';
import { DeletionRequest } from '../entities/deletion-request.ts';
import { sqlOf } from '../entities/sql-of.ts';
import { canAdministrate, canChangeNotes, canDecide, isAdmin } from '../policies/admin.ts';

/** Reads the reason of a deletion request. @throws AppError VALIDATION with the message of the form */
export function readReason(reason: string): string {
  return parseForm(deletionRequestSchema, { reason: storableText(reason.trim()) }).reason;
}

/**
 * Reads the admin's notes: undefined leaves them as they are, null and '' clear them.
 * @throws AppError VALIDATION
 */
function readNotes(notes: string | null | undefined): string | null | undefined {
  if (notes === undefined) return undefined;
  return parseForm(deletionNotesSchema, { notes: storableText((notes ?? '').trim()) }).notes ?? null;
}

const TRIES = 5;

/**
 * Files a deletion request; an account has one open request at a time.
 * @throws AppError VALIDATION, CONFLICT while one is open, and for the admin, whose account can't be deleted
 */
export async function requestDeletion(
  em: EntityManager,
  viewer: { id: number },
  reasonText: string,
): Promise<DeletionRequest> {
  if (isAdmin(viewer)) throw new AppError('CONFLICT', "The admin's account can't be deleted.");
  const reason = readReason(reasonText);
  return em.transactional(async (tx) => {
    const { rows } = await sqlOf(tx).query<{ username: string }>(
      '/* lock-requester */ select username from users where id = $1 for update',
      [viewer.id],
    );
    const [user] = rows;
    if (!user) throw new AppError('UNAUTHENTICATED', 'Please sign in first.');
    const open = await tx.findOne(DeletionRequest, {
      userId: viewer.id,
      status: { $in: [DeletionStatus.pending, DeletionStatus.approved] },
    });
    if (open) {
      throw new AppError('CONFLICT', `You already have an open deletion request: ${open.requestId} is ${open.status}.`);
    }
    return insertRequest(tx, { userId: viewer.id, username: user.username, reason });
  });
}

/** Inserts the request under a random id, and tries another when the id is taken. */
async function insertRequest(
  tx: EntityManager,
  { userId, username, reason }: { userId: number; username: string; reason: string },
): Promise<DeletionRequest> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const { rows } = await sqlOf(tx).query<{ id: number }>(
      `insert into deletion_requests (request_id, user_id, username, reason) values ($1, $2, $3, $4)
       on conflict (request_id) do nothing returning id`,
      [makeRequestId(randomInt), userId, username, reason],
    );
    const [made] = rows;
    if (made) return tx.findOneOrFail(DeletionRequest, { id: made.id });
  }
  throw new Error('No free id for a deletion request was found.');
}

const requestShape = /^DR-[A-Z0-9]{6}$/;

interface RequestChange {
  requestId: string;
  /** The current state is allowed together with other notes. */
  status: DeletionStatus;
  /** undefined leaves them as they are, null and '' clear them. */
  notes?: string | null | undefined;
}

/**
 * Decides a pending request, or changes the notes of an open one.
 * @throws AppError FORBIDDEN, VALIDATION, NOT_FOUND, CONFLICT where the state doesn't allow it
 */
export async function updateDeletionRequest(
  em: EntityManager,
  viewer: { id: number },
  { requestId, status, notes: notesText }: RequestChange,
): Promise<DeletionRequest> {
  if (!canAdministrate(viewer)) throw new AppError('FORBIDDEN', 'Access Denied');
  const notes = readNotes(notesText);
  return em.transactional(async (tx) => {
    // Other texts are not searched for: they may have any length and hold characters that PostgreSQL refuses.
    const request = requestShape.test(requestId)
      ? await tx.findOne(DeletionRequest, { requestId }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })
      : null;
    if (!request) throw new AppError('NOT_FOUND', 'Deletion request not found');
    const otherNotes = notes !== undefined && notes !== (request.notes ?? null);
    const decides = canDecide(viewer, request, status);
    const annotates = status === request.status && otherNotes && canChangeNotes(viewer, request);
    if (!decides && !annotates) throw refusedChange(request, status);
    if (decides) {
      request.status = status;
      request.decidedAt = new Date();
    }
    if (notes !== undefined) request.notes = notes;
    await tx.flush();
    await writeAuditLog(sqlOf(tx), {
      actor: 'admin',
      action: 'deletion-request.update',
      subject: `deletion request ${request.requestId}`,
      outcome: decides ? status : 'notes changed',
    });
    return request;
  });
}

function refusedChange({ requestId, status }: DeletionRequest, wanted: DeletionStatus): AppError {
  if (wanted === status) return new AppError('CONFLICT', `Request ${requestId} is ${status} already.`);
  const rule =
    wanted === DeletionStatus.completed
      ? 'A request is completed by erasing the data of its user, once it is approved.'
      : 'Only a pending request can be approved or rejected.';
  return new AppError('CONFLICT', `Request ${requestId} is ${status} and can't become ${wanted}. ${rule}`);
}
