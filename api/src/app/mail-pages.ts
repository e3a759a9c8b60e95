import type { RequestHandler } from 'express';
import { readAccountOfLink, readConfirmation } from '../accounts/email/addresses.ts';
import { confirmEmail } from '../accounts/email/confirm-email.ts';
import { undoEmailChange } from '../accounts/email/undo-email-change.ts';
import { findAlertForLink } from '../alerts/alert-row.ts';
import { renewAlert } from '../alerts/renew-alert.ts';
import { updateAlert } from '../alerts/update-alert.ts';
import type { Log } from '../base/log.ts';
import type { ApiParts } from '../graphql/context.ts';
import { confirmLink, undoLink } from '../rest/mail-links/address-links.ts';
import { type AlertOfLink, alertLinks } from '../rest/mail-links/alert-links.ts';
import { mailLinks } from '../rest/mail-links/mail-links.ts';

type Parts = Pick<ApiParts, 'pool' | 'em' | 'gazetteer' | 'linkSecret' | 'confirmEmail' | 'phone' | 'security'>;

/** The pages of the links in mails. @param supportEmail shown when a link does not work */
export function mailPages(parts: Parts, log: Log, supportEmail: string): RequestHandler {
  const { pool, em, gazetteer, security } = parts;
  const change = (patch: { isActive?: boolean; emailNotifications?: boolean }) => {
    const hasTexts = parts.phone.texter !== null;
    return ({ alertId, userId }: AlertOfLink) =>
      updateAlert(em.fork(), { gazetteer, now: new Date(), hasTexts }, { id: userId }, alertId, patch);
  };
  const ofAlerts = alertLinks({
    findAlert: (alert) => findAlertForLink(pool, alert),
    renew: ({ alertId, userId }) => renewAlert(em.fork(), { id: userId }, alertId),
    pause: change({ isActive: false }),
    unsubscribe: change({ emailNotifications: false }),
  });
  const undo = undoLink({
    supportEmail,
    readAccount: (address) => readAccountOfLink(pool, address),
    async undo(address) {
      const { userId } = address;
      const outcome = await undoEmailChange(em.fork(), address);
      if (outcome === 'restored') {
        security.record('email.changed', { userId });
        security.record('session.ended', { userId, because: 'address put back' });
      }
      return outcome;
    },
  });
  const confirm = confirmLink({
    readConfirmation: (address) => readConfirmation(pool, address),
    async confirm(address) {
      if (await confirmEmail(em.fork(), parts, address)) security.record('email.changed', { userId: address.userId });
    },
  });
  return mailLinks({ secret: parts.linkSecret, log, links: { ...ofAlerts, 'undo-email': undo }, confirm });
}
