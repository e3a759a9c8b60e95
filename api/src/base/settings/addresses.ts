import { isLoopbackHost } from '../addresses/loopback.ts';

export const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text;

export const isHttps = (text: string | undefined): boolean =>
  text !== undefined && URL.parse(text)?.protocol === 'https:';

/** Over http passwords and cookies would be read on their way. What is no address at all is a fault of its own. */
export function isSafeInProduction(publicUrl: string): boolean {
  const url = URL.parse(publicUrl);
  return url?.protocol !== 'http:' || isLoopbackHost(url.hostname.replace(/^\[|\]$/g, ''));
}
