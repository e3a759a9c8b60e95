import { type RequestHandler, Router } from 'express';

const DAY_MS = 86_400_000;
/** The standard asks for less than a year, so that nobody trusts a file that nobody keeps. */
const VALID_DAYS = 180;

/** `/.well-known/security.txt` after RFC 9116: where to report a weakness. @param site.publicUrl without a trailing slash */
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
