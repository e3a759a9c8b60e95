/** The admin is user 1; it can't be deleted, and nobody else becomes it. */
const ADMIN_ID = 1;

export const isAdmin = (user: { id: number }): boolean => user.id === ADMIN_ID;

/** Sources, quarantine and deletion requests are the admin's alone. */
export function canAdministrate(viewer: { id: number }): boolean {
  return isAdmin(viewer);
}
