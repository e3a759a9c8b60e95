/** Where the side navigation leads. */
export const memberPlaces = [
  { to: '/dashboard', label: 'Dashboard' },
  { to: '/my-alerts', label: 'My Alerts' },
  { to: '/settings', label: 'Settings' },
] as const;

/** Only the admin is led here. */
export const adminPlace = { to: '/admin', label: 'Admin Panel' } as const;

/** My Alerts is the current place on an alert's own page too. */
export function isCurrentPlace(to: string, pathname: string): boolean {
  if (to === '/my-alerts') return /^\/(my-alerts|alert\/|edit-alert\/)/.test(pathname);
  return pathname === to || (to === '/settings' && pathname.startsWith('/settings/'));
}

const menuPlaces = [
  { to: '/dashboard', label: 'Dashboard' },
  { to: '/my-alerts', label: 'My Alerts' },
  { to: '/create-alert', label: 'Create Alert' },
  { to: '/settings', label: 'Settings' },
  { to: '/subscription', label: 'Subscription' },
] as const;

/** The account menu's entries; Logout comes after them. */
export const menuPlacesOf = (isAdmin: boolean): readonly { to: string; label: string }[] =>
  isAdmin ? [...menuPlaces, adminPlace] : menuPlaces;
