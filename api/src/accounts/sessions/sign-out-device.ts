import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '../../base/errors.ts';
import { endSession } from '../../entities/shared/end-sessions.ts';
import { sqlOf } from '../../entities/sql-of.ts';
import type { Viewer } from '../signed-in.ts';

/**
 * Ends one of the viewer's sessions by the id that the list shows.
 * @throws AppError NOT_FOUND for one that has ended or is another's
 */
export async function signOutDevice(em: EntityManager, viewer: Viewer, id: number): Promise<number> {
  if (!(await endSession(sqlOf(em), viewer.id, id))) throw new AppError('NOT_FOUND', 'Session not found');
  return id;
}
