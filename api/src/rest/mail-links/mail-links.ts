import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import { contentPolicy, styleSource } from '../../base/content-policy.ts';
import { AppError, type ErrorCode, httpStatusByCode } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { Secret } from '../../base/secret.ts';
import { readToken, type TokenAction, type TokenClaims } from '../../domain/action-links.ts';
import { type ActionPage, actionPage, pageStyle } from '../../messages/action-page.ts';

/** A page to show; its status is 200 if absent. */
export interface LinkPage {
  status?: number;
  page: ActionPage;
}

/** The claims of a token for action `A`. */
type ClaimsOf<A extends TokenAction, C = TokenClaims> = C extends { action: infer X }
  ? A extends X
    ? C
    : never
  : never;

/** The page behind a mailed link. */
export interface MailLink<A extends TokenAction = TokenAction> {
  /** For GET: says what the button does, or why there is nothing to do. Changes nothing. */
  ask(claims: ClaimsOf<A>): Promise<LinkPage>;
  /** For POST. Its errors are shown by `failed`. @param choice of the page's further buttons; null without `hasChoices` */
  act(claims: ClaimsOf<A>, choice: string | null): Promise<LinkPage>;
  /** Whether its pages have further buttons, so that a POST has a form in its body. */
  hasChoices?: true;
  /** The page of an expired link, whose claims allow nothing any more. */
  expired(claims: ClaimsOf<A>): ActionPage;
  /** Returns the page for an AppError; null for the general one. */
  failed?(code: ErrorCode, message: string): LinkPage | null;
}

/** The link of pages that are about nothing in particular. */
export const openSettings = { label: 'Open the settings', address: '/settings' };
export const openAlerts = { label: 'Open my alerts', address: '/my-alerts' };

interface MailLinkParts {
  secret: Secret;
  log: Log;
  now?: () => Date;
  /** Counts a request. @throws AppError RATE_LIMITED */
  count(request: Request): Promise<void>;
  /** The links behind `/m/:token`, by the action of their tokens. */
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

/** `same-origin` hides the token from other sites, and still lets the form's POST send its origin. */
function show(response: Response, { status = 200, page }: LinkPage): void {
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

/** Shows the message of an AppError; for anything else a general error page. */
function failure(error: unknown, link: MailLink | null, log: Log): LinkPage {
  const heading = "That didn't work";
  if (error instanceof AppError) {
    const own = link?.failed?.(error.code, error.message);
    const page = { heading, paragraphs: [error.message], link: openAlerts };
    return own ?? { status: httpStatusByCode[error.code], page };
  }
  log.error('a mail action failed', { error });
  const paragraphs = ['Something broke on our side and nothing was changed. Please try again in a minute.'];
  return { status: 500, page: { heading, paragraphs, link: openAlerts } };
}

/**
 * Serves the links in mails: GET shows a button; POST acts, from the button or a mail program's one-click (RFC 8058). A
 * GET never acts, because mail scanners follow links. The signed token alone authorizes; sessions are ignored.
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

const parseForm = express.urlencoded({ extended: false, limit: '1kb', parameterLimit: 10 });

/** The pressed button; null for anything else, such as the body of a mail program's one-click. */
async function readChoice(request: Request, response: Response): Promise<string | null> {
  const error = await new Promise<unknown>((resolve) => {
    parseForm(request, response, resolve);
  });
  const choice: unknown = error ? null : (request.body as Record<string, unknown> | undefined)?.choice;
  return typeof choice === 'string' ? choice : null;
}

interface ServeParts extends Omit<MailLinkParts, 'confirm'> {
  broken: ActionPage;
}

function serve(router: Router, path: string, parts: ServeParts): void {
  const { secret, log, links, count, now = () => new Date() } = parts;
  // The link was found by the action of these claims, so they fit.
  const linkOf = (action: TokenAction): MailLink | undefined => links[action] as MailLink | undefined;

  const read = (request: Request): { claims: TokenClaims; link: MailLink } | LinkPage => {
    const reading = readToken(secret, String(request.params.token), now());
    const claims = 'claims' in reading ? reading.claims : null;
    const link = claims && linkOf(claims.action);
    if (!link) return { status: 400, page: parts.broken };
    return reading.ok ? { claims, link } : { status: 410, page: link.expired(claims) };
  };

  const isCounted = async (request: Request, response: Response): Promise<boolean> => {
    try {
      await count(request);
      return true;
    } catch (error) {
      const seconds = error instanceof AppError ? error.retryAfterSeconds : null;
      if (seconds) response.set('Retry-After', String(seconds));
      show(response, failure(error, null, log));
      return false;
    }
  };

  const handle =
    (verb: 'ask' | 'act'): RequestHandler =>
    async (request, response) => {
      if (!(await isCounted(request, response))) return;
      const reading = read(request);
      if ('page' in reading) return show(response, reading);
      const { claims, link } = reading;
      try {
        const choice = verb === 'act' && link.hasChoices ? await readChoice(request, response) : null;
        show(response, await link[verb](claims, choice));
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
