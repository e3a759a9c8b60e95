import type { LinkedAlert } from '../../alerts/alert-row.ts';
import { type ErrorCode, httpStatusByCode } from '../../base/errors.ts';
import type { ActionPage } from '../../messages/action-page.ts';
import { type LinkPage, type MailLink, openAlerts } from './mail-links.ts';

type AlertAction = 'renew' | 'pause' | 'unsubscribe';
export interface AlertOfLink {
  alertId: number;
  userId: number;
}

interface AlertLinkParts {
  findAlert(alert: AlertOfLink): Promise<LinkedAlert | null>;
  /** Operations on alerts, run as the alert's owner. @throws AppError */
  renew(alert: AlertOfLink): Promise<{ isActive: boolean }>;
  pause(alert: AlertOfLink): Promise<unknown>;
  unsubscribe(alert: AlertOfLink): Promise<unknown>;
}

const words: Record<
  AlertAction,
  { ask: (alert: LinkedAlert) => ActionPage; done: (alert: LinkedAlert) => ActionPage }
> = {
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
      paragraphs: [`Your ${name} alert near ${place} sends no more mails. You can switch them on again in the alert.`],
    }),
  },
};

const renewedButOff = ({ name, place }: LinkedAlert): ActionPage => ({
  heading: 'Alert renewed, still paused',
  paragraphs: [`Your ${name} alert near ${place} has 42 days again. It is switched off: switch it on to watch.`],
});

export const goneAlert: LinkPage = {
  status: 410,
  page: {
    heading: 'This alert no longer exists',
    paragraphs: ['It was deleted, so there is nothing left to change and it sends no mails.'],
    link: openAlerts,
  },
};
/** The page of an expired link of an alert. @param instead says where the same can be done */
export const expiredAlertLink =
  (instead: string) =>
  ({ alertId }: AlertOfLink): ActionPage => ({
    heading: 'This link has expired',
    paragraphs: [`Links in mails work for 60 days. ${instead}`],
    link: { label: 'Open the alert', address: `/alert/${alertId}` },
  });

export function failedAlertLink(code: ErrorCode, message: string): LinkPage | null {
  if (code === 'NOT_FOUND') return goneAlert;
  if (code !== 'PLAN_LIMIT') return null;
  const advice = 'Pause or delete another alert, or choose a larger plan. Then open this link again.';
  const link = { label: 'See the plans', address: '/subscription' };
  const page = { heading: "This alert can't watch yet", paragraphs: [message, advice], link };
  return { status: httpStatusByCode[code], page };
}

/** The links at the end of every mail of an alert. */
export function alertLinks(parts: AlertLinkParts): Record<AlertAction, MailLink<AlertAction>> {
  const link = (action: AlertAction): MailLink<AlertAction> => ({
    expired: expiredAlertLink('You can do this on the page of the alert.'),
    failed: failedAlertLink,
    async ask({ alertId, userId }) {
      const alert = await parts.findAlert({ alertId, userId });
      return alert ? { page: words[action].ask(alert) } : goneAlert;
    },
    async act({ alertId, userId }) {
      const alert = await parts.findAlert({ alertId, userId });
      if (!alert) return goneAlert;
      const isOff = action === 'renew' ? !(await parts.renew({ alertId, userId })).isActive : false;
      if (action !== 'renew') await parts[action]({ alertId, userId });
      return { page: { ...(isOff ? renewedButOff : words[action].done)(alert), link: openAlerts } };
    },
  });
  return { renew: link('renew'), pause: link('pause'), unsubscribe: link('unsubscribe') };
}
