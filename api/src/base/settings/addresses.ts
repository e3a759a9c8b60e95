import { isLoopbackHost } from '../addresses/loopback.ts';

export const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text;

export const isHttps = (text: string | undefined): boolean =>
  text !== undefined && URL.parse(text)?.protocol === 'https:';

/** Whether passwords and cookies can't be intercepted. An invalid address, which is reported elsewhere, passes. */
export function isSafeInProduction(publicUrl: string): boolean {
  const url = URL.parse(publicUrl);
  return url?.protocol !== 'http:' || isLoopbackHost(url.hostname.replace(/^\[|\]$/g, ''));
}
