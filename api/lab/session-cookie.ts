import { createHmac } from 'node:crypto';
import { SESSION_COOKIE } from '../src/base/cookie-name.ts';

/** The cookie of a session over http, signed as express-session does. */
export function sessionCookie(sessionId: string, secret: string): string {
  const signature = createHmac('sha256', secret).update(sessionId).digest('base64').replace(/=+$/, '');
  return `${SESSION_COOKIE}=${encodeURIComponent(`s:${sessionId}.${signature}`)}`;
}
