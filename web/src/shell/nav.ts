/** Where the side navigation, the account menu and the bottom bar lead. */
export const memberPlaces = [
  { to: '/dashboard', label: 'Dashboard' },
  { to: '/my-alerts', label: 'My Alerts' },
] as const;

/** My Alerts is the current place on an alert's own page too. */
export function isCurrentPlace(to: string, pathname: string): boolean {
  if (to === '/my-alerts') return /^\/(my-alerts|alert\/|edit-alert\/)/.test(pathname);
  return pathname === to;
}

/** The account menu's entries; Logout comes after them. */
export const menuPlaces = [...memberPlaces, { to: '/create-alert', label: 'Create Alert' }] as const;
