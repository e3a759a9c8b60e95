/**
 * The name of one of our cookies. Under this prefix browsers take a cookie only over https, for all paths, and from no
 * other host of the same domain.
 */
export const cookieName = (name: string, publicUrl: string): string =>
  publicUrl.startsWith('https:') ? `__Host-${name}` : name;
