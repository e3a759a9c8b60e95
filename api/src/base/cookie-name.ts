/**
 * Names a cookie. With the prefix `__Host-` browsers accept it only over https, for all paths, and not from other hosts
 * of the same domain.
 */
export const cookieName = (name: string, publicUrl: string): string =>
  publicUrl.startsWith('https:') ? `__Host-${name}` : name;

/** The cookie of a session, before `cookieName`. */
export const SESSION_COOKIE = 'lotwatch_session';
