import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import { contentPolicy, styleSource } from '../../base/content-policy.ts';
import { AppError, type ErrorCode, httpStatusByCode } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { Secret } from '../../base/secret.ts';
import { readToken, type TokenAction, type TokenClaims } from '../../domain/action-links.ts';
import { type ActionPage, actionPage, pageStyle } from '../../messages/action-page.ts';

/** A page as it is answered; 200 without a status. */
export interface Shown {
  status?: number;
  page: ActionPage;
}

/** What a token of this action says. */
type ClaimsOf<A extends TokenAction, C = TokenClaims> = C extends { action: infer X }
  ? A extends X
    ? C
    : never
  : never;

/** What a mailed link leads to. */
export interface MailLink<A extends TokenAction = TokenAction> {
  /** For GET: what the button does, or why there is nothing to do. Changes nothing. */
  ask(claims: ClaimsOf<A>): Promise<Shown>;
  /** For POST. What it throws is shown by `failed`. */
  act(claims: ClaimsOf<A>): Promise<Shown>;
  expired: ActionPage;
  /** Where an AppError has a page of its own; null leaves it to the general one. */
  failed?(code: ErrorCode, message: string): Shown | null;
}

/** Where pages lead that are about nothing in particular. */
export const openSettings = { label: 'Open the settings', address: '/settings' };
export const openAlerts = { label: 'Open my alerts', address: '/my-alerts' };

interface MailLinkParts {
  secret: Secret;
  log: Log;
  now?: () => Date;
  /** The links behind `/m/:token`, by what their tokens allow. */
  links: { readonly [A in TokenAction]?: MailLink<A> };
  /** The link behind `/confirm-email/:token`. */
  confirm: MailLink<'confirm-email'>;
}

const heading = "This link doesn't work";
const broken: ActionPage = {
  heading,
  paragraphs: ['It is incomplete or was changed. Open the link from the mail again, or use your alerts page.'],
  link: openAlerts,
};
const brokenConfirmation: ActionPage = {
  heading,
  paragraphs: ["It is incomplete or was changed. Open it from the mail again, or sign in and choose 'Send again'."],
  link: openSettings,
};

const policy = contentPolicy({ 'style-src': [styleSource(pageStyle)], 'form-action': ["'self'"] });

/** `same-origin` keeps the token from other sites, and lets the form's POST still name its origin. */
function show(response: Response, { status = 200, page }: Shown): void {
  response
    .status(status)
    .set({
      'Content-Type': 'text/html; charset=utf-8',
      'Referrer-Policy': 'same-origin',
      'Content-Security-Policy': policy,
      'X-Robots-Tag': 'noindex',
    })
    .send(actionPage(page));
}

/** An AppError is shown in its own words, anything else as ours to mend. */
function failure(error: unknown, link: MailLink, log: Log): Shown {
  const heading = "That didn't work";
  if (error instanceof AppError) {
    const own = link.failed?.(error.code, error.message);
    const page = { heading, paragraphs: [error.message], link: openAlerts };
    return own ?? { status: httpStatusByCode[error.code], page };
  }
  log.error('a mail action failed', { error });
  const paragraphs = ['Something broke on our side and nothing was changed. Please try again in a minute.'];
  return { status: 500, page: { heading, paragraphs, link: openAlerts } };
}

/**
 * The links of mails: GET shows one button, POST acts, from that button or from a mail program's one-click (RFC 8058).
 * Scanners of mails follow links, so a GET never acts. The signed token is the whole authority, so neither cookie nor
 * session is looked at.
 */
export function mailLinks(parts: MailLinkParts): Router {
  const router = express.Router();
  serve(router, '/m/:token', { ...parts, broken });
  serve(router, '/confirm-email/:token', {
    ...parts,
    links: { 'confirm-email': parts.confirm },
    broken: brokenConfirmation,
  });
  return router;
}

interface ServeParts extends Omit<MailLinkParts, 'confirm'> {
  broken: ActionPage;
}

function serve(router: Router, path: string, parts: ServeParts): void {
  const { secret, log, links, now = () => new Date() } = parts;
  // Which claims a link takes is what it is found by.
  const linkOf = (action: TokenAction | null): MailLink | undefined =>
    action === null ? undefined : (links[action] as MailLink | undefined);

  const read = (request: Request): { claims: TokenClaims; link: MailLink } | Shown => {
    const reading = readToken(secret, String(request.params.token), now());
    const link = linkOf(reading.ok ? reading.claims.action : reading.action);
    if (!link) return { status: 400, page: parts.broken };
    return reading.ok ? { claims: reading.claims, link } : { status: 410, page: link.expired };
  };

  const handle =
    (verb: 'ask' | 'act'): RequestHandler =>
    async (request, response) => {
      const reading = read(request);
      if ('page' in reading) return show(response, reading);
      const { claims, link } = reading;
      try {
        show(response, await link[verb](claims));
      } catch (error) {
        show(response, failure(error, link, log));
      }
    };

  router.get(path, handle('ask'));
  router.post(path, handle('act'));
  router.all(path, (_request, response) => {
    response.set('Allow', 'GET, HEAD, POST');
    show(response, { status: 405, page: parts.broken });
  });
}
