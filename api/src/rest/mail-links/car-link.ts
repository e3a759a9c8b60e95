import type { LinkedAlert } from '../../alerts/alert-row.ts';
import type { CarOfAlert, LinkedCar } from '../../alerts/dismiss-car.ts';
import { expiredAlertLink, goneAlert } from './alert-links.ts';
import { type LinkPage, type MailLink, openAlerts } from './mail-links.ts';

interface CarLinkParts {
  findAlert(alert: CarOfAlert): Promise<LinkedAlert | null>;
  findCar(car: CarOfAlert): Promise<LinkedCar | null>;
  /** Run as the alert's owner. @throws AppError */
  dismiss(car: CarOfAlert): Promise<void>;
  restore(car: CarOfAlert): Promise<void>;
}

const UNDO = 'undo';

const goneCar: LinkPage = {
  status: 410,
  page: {
    heading: 'This car is gone',
    paragraphs: ['It is no longer among the matches of your alert, so nothing more is sent about it.'],
    link: openAlerts,
  },
};

const dismissed = ({ title }: LinkedCar, { name }: LinkedAlert): LinkPage => ({
  page: {
    heading: 'Car hidden',
    paragraphs: [
      `${title} is no longer among the matches of your ${name} alert, and the alert sends nothing more about it, not even when it gets cheaper or is listed again.`,
    ],
    choices: [{ buttons: [{ value: UNDO, label: 'Undo' }] }],
    link: openAlerts,
  },
});

/** The link "not this car" below each car of a mail. Its page undoes it, too, while the link works. */
export function carLink(parts: CarLinkParts): MailLink<'dismiss'> {
  const find = async (car: CarOfAlert) => ({ alert: await parts.findAlert(car), found: await parts.findCar(car) });
  return {
    expired: expiredAlertLink("On the page of the alert, press 'Not this car' below the car."),
    failed: (code) => (code === 'NOT_FOUND' ? goneCar : null),
    hasChoices: true,
    async ask(car) {
      const { alert, found } = await find(car);
      if (!alert) return goneAlert;
      if (!found) return goneCar;
      if (found.isDismissed) return dismissed(found, alert);
      const paragraphs = [
        found.title,
        `It disappears from the matches of your ${alert.name} alert near ${alert.place}, and the alert sends nothing more about it. The alert keeps watching for others.`,
      ];
      return { page: { heading: 'Not this car?', paragraphs, button: 'Hide this car' } };
    },
    async act(car, choice) {
      const { alert, found } = await find(car);
      if (!alert) return goneAlert;
      if (!found) return goneCar;
      if (choice !== UNDO) {
        await parts.dismiss(car);
        return dismissed(found, alert);
      }
      await parts.restore(car);
      const paragraphs = [`${found.title} is among the matches of your ${alert.name} alert again, as long as it fits.`];
      return { page: { heading: 'Car shown again', paragraphs, link: openAlerts } };
    },
  };
}
