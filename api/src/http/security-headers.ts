import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { contentPolicy, styleSource } from '../base/content-policy.ts';

/** Emotion creates empty style elements, and inserts the rules by script. */
const emptyStyle = styleSource('');

/** The page's own origin, and its WebSocket, which some browsers don't count as the same. */
const ownConnections = (publicUrl: string): string[] => ["'self'", new URL(publicUrl).origin.replace(/^http/, 'ws')];

/** The policy of the web app's pages. @param styles sources of the inline styles @param posts whether a form works without scripts */
export const appPolicy = (publicUrl: string, styles: readonly string[] = [], posts = false): string =>
  contentPolicy({
    ...(posts && { 'form-action': ["'self'"] }),
    'script-src': ["'self'"],
    'style-src': ["'self'", emptyStyle, ...styles],
    'img-src': ["'self'", 'data:'],
    'connect-src': ownConnections(publicUrl),
    'font-src': ["'self'"],
    'manifest-src': ["'self'"],
  });

/** The policy of the playground, whose editor uses workers and inline styles. */
export const playgroundPolicy = (publicUrl: string): string =>
  contentPolicy({
    'script-src': ["'self'"],
    'style-src': ["'self'", "'unsafe-inline'"],
    'img-src': ["'self'", 'data:'],
    'connect-src': ownConnections(publicUrl),
    'font-src': ["'self'"],
    'worker-src': ["'self'"],
  });

/** Helmet, with the policy of the web app as the default. */
export function securityHeaders(publicUrl: string): RequestHandler[] {
  const policy = appPolicy(publicUrl);
  return [
    helmet({
      contentSecurityPolicy: false,
      strictTransportSecurity: publicUrl.startsWith('https:'),
      // With 'no-referrer' browsers send `Origin: null` with the app's own forms, which the origin guard refuses.
      referrerPolicy: { policy: 'same-origin' },
    }),
    (_request, response, next) => {
      response.set('Content-Security-Policy', policy);
      next();
    },
  ];
}

/** Forbids caching by default, since responses may be personal. Public files set their own header. */
export const noStore: RequestHandler = (_request, response, next) => {
  response.set('Cache-Control', 'no-store');
  next();
};

/** Removes the default for the file server, which sets the header only if there is none. */
export const withoutNoStore: RequestHandler = (_request, response, next) => {
  response.removeHeader('Cache-Control');
  next();
};
