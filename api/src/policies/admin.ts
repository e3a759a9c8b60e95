/** The admin is user 1; it can't be deleted, and nobody else becomes it. */
export const ADMIN_ID = 1;

export const isAdmin = (user: { id: number }): boolean => user.id === ADMIN_ID;

/**
 * Sources, quarantine, deletion requests, and listings without a match of one's own are the admin's alone, signed in:
 * a key of the admin's is an ordinary user's.
 */
export function canAdministrate(viewer: { id: number; key?: object | null | undefined }): boolean {
  return isAdmin(viewer) && !viewer.key;
}
