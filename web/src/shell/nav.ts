/** The links of the side navigation. */
export const memberLinks = [
  { to: '/dashboard', label: 'Dashboard' },
  { to: '/my-alerts', label: 'My Alerts' },
  { to: '/settings', label: 'Settings' },
] as const;

/** Shown only to the admin. */
export const adminLink = { to: '/admin', label: 'Admin Panel' } as const;

/** Whether the link is the current one; My Alerts is it on an alert's page too. */
export function isCurrentLink(to: string, pathname: string): boolean {
  if (to === '/my-alerts') return /^\/(my-alerts|alert\/|edit-alert\/)/.test(pathname);
  return pathname === to || (to === '/settings' && pathname.startsWith('/settings/'));
}

const menuLinks = [
  { to: '/dashboard', label: 'Dashboard' },
  { to: '/my-alerts', label: 'My Alerts' },
  { to: '/create-alert', label: 'Create Alert' },
  { to: '/settings', label: 'Settings' },
  { to: '/subscription', label: 'Subscription' },
] as const;

/** The account menu's entries; Logout comes after them. */
export const menuLinksOf = (isAdmin: boolean): readonly { to: string; label: string }[] =>
  isAdmin ? [...menuLinks, adminLink] : menuLinks;
