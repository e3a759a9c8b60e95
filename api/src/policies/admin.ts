/** The admin is user 1; it can't be deleted, and nobody else becomes it. */
const ADMIN_ID = 1;

export const isAdmin = (user: { id: number }): boolean => user.id === ADMIN_ID;

/** Sources, quarantine, deletion requests, and listings without a match of one's own are the admin's alone. */
export function canAdministrate(viewer: { id: number }): boolean {
  return isAdmin(viewer);
}
