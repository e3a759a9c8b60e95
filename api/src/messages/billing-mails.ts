import { counted, type MailContent, plainMail } from './mail-layout.ts';

const FOOT = 'LotWatch mails you this because it is about your plan and your payments.';

export interface PlanChangedWords {
  fromPlan: string;
  toPlan: string;
  /** The limit of the new plan. */
  alertLimit: number;
  /** 'paid', 'ended', 'refunded' or 'lapsed'. */
  event: string;
  isUpgrade: boolean;
  /** How many alerts were paused, lost text messages, or can be resumed. */
  paused: number;
  textsOff: number;
  toResume: number;
  alertsUrl: string;
}

const reasons: Readonly<Record<string, string>> = {
  ended: 'It was cancelled.',
  refunded: 'Your last payment was refunded in full.',
  lapsed: 'It stayed unpaid for seven days.',
};

function effectsOf({ paused, textsOff, toResume, toPlan, alertLimit }: PlanChangedWords): string[] {
  const effects: string[] = [];
  const room = `The ${toPlan} plan has room for ${counted(alertLimit, 'active alert', 'active alerts')}.`;
  if (paused > 0) {
    effects.push(
      `${room} We paused your ${paused === 1 ? 'newest alert' : `${paused} newest alerts`}; nothing is deleted.`,
    );
  } else if (toResume > 0) {
    effects.push(`${room} You can resume ${counted(toResume, 'alert', 'alerts')} that a smaller plan had paused.`);
  } else effects.push(room);
  if (textsOff > 0) {
    effects.push(`Text messages are off for ${counted(textsOff, 'alert', 'alerts')}: they need a paid plan.`);
  }
  return effects;
}

/** After a change of the plan, with its effects. */
export function planChangedMail(words: PlanChangedWords): MailContent {
  const { fromPlan, toPlan, event, isUpgrade, alertsUrl } = words;
  const heading = isUpgrade ? `Your ${toPlan} plan is active` : `You are now on the ${toPlan} plan`;
  const before = isUpgrade ? [] : [`Your ${fromPlan} plan is over. ${reasons[event] ?? ''}`.trim()];
  return plainMail({
    subject: heading,
    heading,
    paragraphs: [...before, ...effectsOf(words)],
    action: { label: 'Look at your alerts', address: alertsUrl },
    foot: FOOT,
  });
}

/** After the cancellation of a plan, which runs until its period ends. */
export function planEndingMail({
  plan,
  endsOn,
  plansUrl,
}: {
  plan: string;
  endsOn: string;
  plansUrl: string;
}): MailContent {
  return plainMail({
    subject: `Your ${plan} plan ends on ${endsOn}`,
    heading: `Your ${plan} plan ends on ${endsOn}`,
    paragraphs: ['Until then nothing changes, and nothing more is charged. Then you are on the Free plan.'],
    action: { label: 'Keep the plan', address: plansUrl },
    foot: FOOT,
  });
}

interface Unpaid {
  plan: string;
  keptUntil: string;
  plansUrl: string;
}

/** At the first failed payment. */
export function paymentFailedMail({ plan, keptUntil, plansUrl }: Unpaid): MailContent {
  return plainMail({
    subject: "Your payment didn't go through",
    heading: "Your payment didn't go through",
    paragraphs: [
      `We could not charge your ${plan} plan. You keep it until ${keptUntil}, and we try again until then.`,
      'Please check whether your card is still valid.',
    ],
    action: { label: 'Look at your payment', address: plansUrl },
    foot: FOOT,
  });
}

/** Two days before an unpaid plan ends. */
export function graceEndingMail({ plan, keptUntil, plansUrl }: Unpaid): MailContent {
  return plainMail({
    subject: `Your ${plan} plan ends on ${keptUntil}`,
    heading: `Your ${plan} plan ends on ${keptUntil}`,
    paragraphs: [
      'It is still unpaid. Without a payment you are then on the Free plan, with one active alert and no text messages.',
      'Your other alerts are paused, not deleted.',
    ],
    action: { label: 'Look at your payment', address: plansUrl },
    foot: FOOT,
  });
}
