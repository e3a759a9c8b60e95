import { deleteByIndex, deleteByPages, FIRST_PIECE, type InPieces } from '../base/pieces.ts';

/** Deletes keys that ended 30 days ago. */
export const purgeApiKeys: InPieces = (db, piece = FIRST_PIECE) =>
  deleteByPages(db, { table: 'api_keys', where: "least(revoked_at, expires_at) < now() - interval '30 days'" }, piece);

/** Deletes counts that no chart shows any more. */
export const purgeApiUsage: InPieces = (db, piece = FIRST_PIECE) =>
  deleteByIndex(db, { table: 'api_usage', where: "hour < now() - interval '8 days'", orderBy: 'hour' }, piece);
