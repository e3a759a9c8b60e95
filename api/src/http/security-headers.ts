import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { contentPolicy, styleSource } from '../base/content-policy.ts';

/** Emotion makes style elements without a text, and writes their rules by script. */
const emptyStyle = styleSource('');

/** The page's own origin, and its socket where a browser doesn't count that as the same. */
const ownConnections = (publicUrl: string): string[] => ["'self'", new URL(publicUrl).origin.replace(/^http/, 'ws')];

/** What the web app's pages may do. @param styles sources of the styles that stand in the page */
export const appPolicy = (publicUrl: string, styles: readonly string[] = []): string =>
  contentPolicy({
    'script-src': ["'self'"],
    'style-src': ["'self'", emptyStyle, ...styles],
    'img-src': ["'self'", 'data:'],
    'connect-src': ownConnections(publicUrl),
    'font-src': ["'self'"],
    'manifest-src': ["'self'"],
  });

/** The playground's editor has workers, which are files of ours, and writes the look of each line into its markup. */
export const playgroundPolicy = (publicUrl: string): string =>
  contentPolicy({
    'script-src': ["'self'"],
    'style-src': ["'self'", "'unsafe-inline'"],
    'img-src': ["'self'", 'data:'],
    'connect-src': ownConnections(publicUrl),
    'font-src': ["'self'"],
    'worker-src': ["'self'"],
  });

/** Helmet, and the policy of the web app for whatever sends none of its own. */
export function securityHeaders(publicUrl: string): RequestHandler[] {
  const policy = appPolicy(publicUrl);
  return [
    helmet({
      contentSecurityPolicy: false,
      strictTransportSecurity: publicUrl.startsWith('https:'),
      // Under 'no-referrer' browsers send `Origin: null` with our own forms, which the origin guard refuses.
      referrerPolicy: { policy: 'same-origin' },
    }),
    (_request, response, next) => {
      response.set('Content-Security-Policy', policy);
      next();
    },
  ];
}
