import type { Request, RequestHandler } from 'express';
import { readAccountOfLink, readConfirmation } from '../accounts/email/addresses.ts';
import { confirmEmail } from '../accounts/email/confirm-email.ts';
import { undoEmailChange } from '../accounts/email/undo-email-change.ts';
import type { AlertPatch } from '../alerts/alert-input.ts';
import { findAlertForLink } from '../alerts/alert-row.ts';
import { dismissCar, findCarForLink, restoreCar } from '../alerts/dismiss-car.ts';
import { findDelivery } from '../alerts/find-delivery.ts';
import { renewAlert } from '../alerts/renew-alert.ts';
import { snoozeAlert } from '../alerts/snooze-alert.ts';
import { updateAlert } from '../alerts/update-alert.ts';
import type { Log } from '../base/log.ts';
import type { ApiParts } from '../graphql/context.ts';
import type { AddressOf } from '../http/client-address.ts';
import { confirmLink, undoLink } from '../rest/mail-links/address-links.ts';
import { type AlertOfLink, alertLinks } from '../rest/mail-links/alert-links.ts';
import { carLink } from '../rest/mail-links/car-link.ts';
import { deliveryLinks } from '../rest/mail-links/delivery-links.ts';
import { mailLinks } from '../rest/mail-links/mail-links.ts';

type Parts = Pick<
  ApiParts,
  'pool' | 'em' | 'gazetteer' | 'linkSecret' | 'confirmEmail' | 'phone' | 'security' | 'limits'
> & {
  addressOf: AddressOf;
};

/** The pages of the links in mails. @param supportEmail shown when a link does not work */
export function mailPages(parts: Parts, log: Log, supportEmail: string): RequestHandler {
  const { pool, em, gazetteer, security, limits, addressOf } = parts;
  const hasTexts = parts.phone.texter !== null;
  const change = ({ alertId, userId }: AlertOfLink, patch: AlertPatch) =>
    updateAlert(em.fork(), { gazetteer, now: new Date(), hasTexts }, { id: userId }, alertId, patch);
  const findAlert = (alert: AlertOfLink) => findAlertForLink(pool, alert);
  const ofAlerts = alertLinks({
    findAlert,
    renew: ({ alertId, userId }) => renewAlert(em.fork(), { id: userId }, alertId),
    pause: (alert) => change(alert, { isActive: false }),
    unsubscribe: (alert) => change(alert, { emailNotifications: false }),
  });
  const ofDelivery = deliveryLinks({
    findDelivery: (alert) => findDelivery(pool, alert),
    change,
    snooze: ({ alertId, userId }, days) => snoozeAlert(em.fork(), { id: userId }, alertId, days),
  });
  const dismiss = carLink({
    findAlert,
    findCar: (car) => findCarForLink(pool, car),
    dismiss: (car) => dismissCar(em.fork(), car),
    restore: (car) => restoreCar(em.fork(), car),
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
  const links = { ...ofAlerts, ...ofDelivery, dismiss, 'undo-email': undo };
  const count = (request: Request) => limits.mailLink(addressOf(request));
  return mailLinks({ secret: parts.linkSecret, log, count, links, confirm });
}
