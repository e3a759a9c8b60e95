import type { Request, RequestHandler, Response, Router } from 'express';
import express from 'express';
import { contentPolicy, styleSource } from '../base/content-policy.ts';
import { AppError, httpStatusByCode } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Secret } from '../base/secret.ts';
import { readToken, type TokenClaims } from '../domain/action-links.ts';
import { type ActionPage, actionPage } from '../messages/action-page.ts';
import { pageStyle } from '../messages/page-style.ts';
import type { LinkedAlert } from '../notify/find-alert-for-link.ts';

type MailAction = 'renew' | 'pause' | 'unsubscribe';
type AlertClaims = Extract<TokenClaims, { action: MailAction }>;
export interface AlertOfLink {
  alertId: number;
  userId: number;
}

export interface MailActionParts {
  secret: Secret;
  log: Log;
  now?: () => Date;
  findAlert(alert: AlertOfLink): Promise<LinkedAlert | null>;
  /** The verbs of `alerts/`, as the alert's owner. @throws AppError */
  renew(alert: AlertOfLink): Promise<{ isActive: boolean }>;
  pause(alert: AlertOfLink): Promise<unknown>;
  unsubscribe(alert: AlertOfLink): Promise<unknown>;
}

const isAlertAction = (claims: TokenClaims): claims is AlertClaims =>
  claims.action === 'renew' || claims.action === 'pause' || claims.action === 'unsubscribe';

const words: Record<MailAction, { ask: (alert: LinkedAlert) => ActionPage; done: (alert: LinkedAlert) => ActionPage }> =
  {
    renew: {
      ask: ({ name, place }) => ({
        heading: `Renew your ${name} alert?`,
        paragraphs: [`Your alert near ${place} then watches for 42 days from today.`],
        button: 'Renew for 42 days',
      }),
      done: ({ name, place }) => ({
        heading: 'Alert renewed',
        paragraphs: [`Your ${name} alert near ${place} watches for 42 days from today.`],
      }),
    },
    pause: {
      ask: ({ name, place }) => ({
        heading: `Pause your ${name} alert?`,
        paragraphs: [`Your alert near ${place} stops watching until you switch it on again.`],
        button: 'Pause this alert',
      }),
      done: ({ name, place }) => ({
        heading: 'Alert paused',
        paragraphs: [`Your ${name} alert near ${place} is switched off. Switch it on again whenever you like.`],
      }),
    },
    unsubscribe: {
      ask: ({ name, place }) => ({
        heading: `Stop mails of your ${name} alert?`,
        paragraphs: [
          `Your alert near ${place} keeps watching, and its matches stay on your pages, but nothing is mailed.`,
        ],
        button: 'Unsubscribe',
      }),
      done: ({ name, place }) => ({
        heading: 'Unsubscribed',
        paragraphs: [
          `Your ${name} alert near ${place} sends no more mails. You can switch them on again in the alert.`,
        ],
      }),
    },
  };

const renewedButOff = ({ name, place }: LinkedAlert): ActionPage => ({
  heading: 'Alert renewed, still paused',
  paragraphs: [`Your ${name} alert near ${place} has 42 days again. It is switched off: switch it on to watch.`],
});

const openAlerts = { label: 'Open my alerts', address: '/my-alerts' };
const gone: ActionPage = {
  heading: 'This alert no longer exists',
  paragraphs: ['It was deleted, so there is nothing left to change and it sends no mails.'],
  link: openAlerts,
};
const broken: ActionPage = {
  heading: "This link doesn't work",
  paragraphs: ['It is incomplete or was changed. Open the link from the mail again, or use your alerts page.'],
  link: openAlerts,
};
const expired: ActionPage = {
  heading: 'This link has expired',
  paragraphs: ['Links in mails work for 60 days. You can still do this on your alerts page.'],
  link: openAlerts,
};

const policy = contentPolicy({ 'style-src': [styleSource(pageStyle)], 'form-action': ["'self'"] });

/** `same-origin` keeps the token from other sites, and lets the form's POST still name its origin. */
function show(response: Response, status: number, page: ActionPage): void {
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
function failurePage(error: unknown, log: Log): { status: number; page: ActionPage } {
  if (!(error instanceof AppError)) {
    log.error('a mail action failed', { error });
    const paragraphs = ['Something broke on our side and nothing was changed. Please try again in a minute.'];
    return { status: 500, page: { heading: "That didn't work", paragraphs, link: openAlerts } };
  }
  if (error.code === 'NOT_FOUND') return { status: 410, page: gone };
  const status = httpStatusByCode[error.code];
  if (error.code !== 'PLAN_LIMIT') {
    return { status, page: { heading: "That didn't work", paragraphs: [error.message], link: openAlerts } };
  }
  const advice = 'Pause or delete another alert, or choose a larger plan. Then renew this one.';
  const plans = { label: 'See the plans', address: '/subscription' };
  return {
    status,
    page: { heading: "This alert can't be renewed yet", paragraphs: [error.message, advice], link: plans },
  };
}

/**
 * `/m/:token`, the links of mails: GET shows one button, POST acts, from that button or from a mail program's
 * one-click (RFC 8058). The signed token is the whole authority, so neither cookie nor session is looked at.
 */
export function mailActions(parts: MailActionParts): Router {
  const now = parts.now ?? (() => new Date());

  const claimsOf = (request: Request, response: Response): AlertClaims | null => {
    const reading = readToken(parts.secret, String(request.params.token), now());
    if (reading.ok && isAlertAction(reading.claims)) return reading.claims;
    if (!reading.ok && reading.reason === 'expired') show(response, 410, expired);
    else show(response, 400, broken);
    return null;
  };

  const handle =
    (act: boolean): RequestHandler =>
    async (request, response) => {
      const claims = claimsOf(request, response);
      if (!claims) return;
      const { action, alertId, userId } = claims;
      try {
        const alert = await parts.findAlert({ alertId, userId });
        if (!alert) return show(response, 410, gone);
        if (!act) return show(response, 200, words[action].ask(alert));
        const isOff = action === 'renew' ? !(await parts.renew({ alertId, userId })).isActive : false;
        if (action !== 'renew') await parts[action]({ alertId, userId });
        const done = isOff ? renewedButOff : words[action].done;
        show(response, 200, { ...done(alert), link: openAlerts });
      } catch (error) {
        const { status, page } = failurePage(error, parts.log);
        show(response, status, page);
      }
    };

  const router = express.Router();
  router.get('/m/:token', handle(false));
  router.post('/m/:token', handle(true));
  router.all('/m/:token', (_request, response) => {
    response.set('Allow', 'GET, HEAD, POST');
    show(response, 405, broken);
  });
  return router;
}
