import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '../base/errors.ts';
import { DeletionStatus } from '../domain/deletion-request.ts';
import { DeletionRequest } from '../entities/deletion-request.ts';
import { writeAuditLogWith } from '../entities/shared/write-audit-log.ts';
import { canAdministrate } from '../policies/admin.ts';
import { canChangeNotes, canDecide } from '../policies/deletion-request.ts';
import { readNotes } from './request-input.ts';

const requestShape = /^DR-[A-Z0-9]{6}$/;

export interface RequestChange {
  requestId: string;
  /** The state it has is allowed along with other notes. */
  status: DeletionStatus;
  /** Absent stays, null and '' clear. */
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
    // What can't be one is not looked for: a text may be of any length, and hold what PostgreSQL takes none of.
    const request = requestShape.test(requestId)
      ? await tx.findOne(DeletionRequest, { requestId }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })
      : null;
    if (!request) throw new AppError('NOT_FOUND', 'Deletion request not found');
    const otherNotes = notes !== undefined && notes !== (request.notes ?? null);
    const decides = canDecide(viewer, request, status);
    const annotates = status === request.status && otherNotes && canChangeNotes(viewer, request);
    if (!decides && !annotates) throw refusal(request, status);
    if (decides) {
      request.status = status;
      request.decidedAt = new Date();
    }
    if (notes !== undefined) request.notes = notes;
    await tx.flush();
    await writeAuditLogWith(tx, {
      actor: 'admin',
      action: 'deletion-request.update',
      subject: `deletion request ${request.requestId}`,
      outcome: decides ? status : 'notes changed',
    });
    return request;
  });
}

function refusal({ requestId, status }: DeletionRequest, wanted: DeletionStatus): AppError {
  if (wanted === status) return new AppError('CONFLICT', `Request ${requestId} is ${status} already.`);
  const rule =
    wanted === DeletionStatus.completed
      ? 'A request is completed by erasing the data of its user, once it is approved.'
      : 'Only a pending request can be approved or rejected.';
  return new AppError('CONFLICT', `Request ${requestId} is ${status}, it can't become ${wanted}. ${rule}`);
}
