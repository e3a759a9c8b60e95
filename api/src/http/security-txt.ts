import { type RequestHandler, Router } from 'express';

const DAY_MS = 86_400_000;
/** RFC 9116 recommends less than a year. */
const VALID_DAYS = 180;

/** `/.well-known/security.txt`: where to report a vulnerability (RFC 9116). @param site.publicUrl without a trailing slash */
export function securityTxt(site: { publicUrl: string; supportEmail: string }): RequestHandler {
  return Router().get('/.well-known/security.txt', (_request, response) => {
    const expires = new Date(Math.floor(Date.now() / DAY_MS + VALID_DAYS) * DAY_MS);
    response
      .type('text')
      .send(
        [
          `Contact: mailto:${site.supportEmail}`,
          `Expires: ${expires.toISOString()}`,
          'Preferred-Languages: en',
          `Canonical: ${site.publicUrl}/.well-known/security.txt`,
          '',
        ].join('\n'),
      );
  });
}
