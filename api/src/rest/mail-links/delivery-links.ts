import type { AlertPatch } from '../../alerts/alert-input.ts';
import type { LinkedDelivery } from '../../alerts/find-delivery.ts';
import type { ActionChoices, ActionPage } from '../../messages/action-page.ts';
import { type AlertOfLink, expiredAlertLink, failedAlertLink, goneAlert } from './alert-links.ts';
import { type LinkPage, type MailLink, openAlerts } from './mail-links.ts';

interface DeliveryLinkParts {
  findDelivery(alert: AlertOfLink): Promise<LinkedDelivery | null>;
  /** Operations on alerts, run as the alert's owner. @throws AppError */
  change(alert: AlertOfLink, patch: AlertPatch): Promise<unknown>;
  snooze(alert: AlertOfLink, days: number): Promise<unknown>;
}

/** Mails a day that the page offers; the alert's form takes any number. */
const FEW = 3;

interface Choice {
  label: string;
  /** What is changed, or for how many days the alert is snoozed. */
  act: AlertPatch | { days: number };
  done: string;
}

const snooze = (days: number): Choice => ({
  label: `Snooze for ${days === 1 ? '1 day' : `${days} days`}`,
  act: { days },
  done: `Snoozed for ${days === 1 ? '1 day' : `${days} days`}`,
});

const choices = {
  daily: { label: 'One mail a day', act: { delivery: 'daily' }, done: 'One mail a day from now on' },
  few: {
    label: `At most ${FEW} mails a day`,
    act: { delivery: 'instant', maxMailsPerDay: FEW },
    done: `At most ${FEW} mails a day from now on`,
  },
  'snooze-1': snooze(1),
  'snooze-3': snooze(3),
  'snooze-7': snooze(7),
  pause: { label: 'Pause this alert', act: { isActive: false }, done: 'Alert paused' },
  'at-once': {
    label: 'Mail me at once again',
    act: { delivery: 'instant', maxMailsPerDay: null },
    done: 'Mails come at once again',
  },
  wake: { label: 'End the snooze', act: { days: 0 }, done: 'Snooze ended' },
  resume: { label: 'Switch it on again', act: { isActive: true }, done: 'Alert switched on' },
} as const satisfies Record<string, Choice>;

type ChoiceName = keyof typeof choices;
const isChoice = (name: string): name is ChoiceName => Object.hasOwn(choices, name);

const buttons = (names: readonly ChoiceName[]) => names.map((value) => ({ value, label: choices[value].label }));

/** What the page offers in this state; what already holds is left out. */
function offered({ delivery, maxMailsPerDay, isSnoozed, isActive }: LinkedDelivery): ActionChoices[] {
  if (!isActive) return [{ buttons: buttons(['resume']) }];
  const isFew = delivery === 'instant' && maxMailsPerDay !== null && maxMailsPerDay <= FEW;
  const often: ChoiceName[] = [];
  if (delivery !== 'daily') often.push('daily');
  if (!isFew) often.push('few');
  if (delivery === 'daily' || maxMailsPerDay !== null) often.push('at-once');
  return [
    { heading: 'How often', buttons: buttons(often) },
    { heading: 'Quiet for a while', buttons: buttons(isSnoozed ? ['wake'] : ['snooze-1', 'snooze-3', 'snooze-7']) },
    { heading: 'Or stop', buttons: buttons(['pause']) },
  ];
}

function stateWords({ words, isSnoozed, isActive, name, place }: LinkedDelivery): string[] {
  if (!isActive) return [`Your ${name} alert near ${place} is switched off: it watches for nothing and sends nothing.`];
  const snoozed = 'It is snoozed: new matches appear on its page, and one mail sums them up at the end.';
  return [`Your ${name} alert near ${place} now notifies you like this: ${words}`, ...(isSnoozed ? [snoozed] : [])];
}

const page = (delivery: LinkedDelivery, heading: string): ActionPage => ({
  heading,
  paragraphs: stateWords(delivery),
  choices: offered(delivery),
  link: openAlerts,
});

/** The links "fewer mails", whose page offers several ways, and "one mail a day", which offers that one first. */
export function deliveryLinks(parts: DeliveryLinkParts): { fewer: MailLink<'fewer'>; daily: MailLink<'daily'> } {
  const withDelivery = async (alert: AlertOfLink, show: (delivery: LinkedDelivery) => LinkPage): Promise<LinkPage> => {
    const delivery = await parts.findDelivery(alert);
    return delivery ? show(delivery) : goneAlert;
  };
  const askFewer = (alert: AlertOfLink, status = 200) =>
    withDelivery(alert, (delivery) => ({
      status,
      page: page(delivery, `Fewer mails of your ${delivery.name} alert?`),
    }));
  const askDaily = (alert: AlertOfLink) =>
    withDelivery(alert, (delivery) => {
      if (delivery.delivery === 'daily') return { page: page(delivery, choices.daily.done) };
      const heading = `One mail a day for your ${delivery.name} alert?`;
      const paragraphs = [
        `All new matches near ${delivery.place} then come in one mail a day, the best first. They appear on the alert's page at once, as before.`,
      ];
      return { page: { heading, paragraphs, button: choices.daily.label } };
    });

  const act = async ({ alertId, userId }: AlertOfLink, choice: ChoiceName): Promise<LinkPage> => {
    const alert = { alertId, userId };
    if (!(await parts.findDelivery(alert))) return goneAlert;
    const { act, done }: Choice = choices[choice];
    if ('days' in act) await parts.snooze(alert, act.days);
    else await parts.change(alert, act);
    return withDelivery(alert, (delivery) => ({ page: page(delivery, done) }));
  };
  const expired = expiredAlertLink('You can do this on the page of the alert.');
  const common = { expired, failed: failedAlertLink, hasChoices: true } as const;
  return {
    fewer: {
      ...common,
      ask: (claims) => askFewer(claims),
      act: (claims, choice) => (choice !== null && isChoice(choice) ? act(claims, choice) : askFewer(claims, 400)),
    },
    daily: {
      ...common,
      ask: askDaily,
      act: (claims, choice) => act(claims, choice !== null && isChoice(choice) ? choice : 'daily'),
    },
  };
}
