import { expect, it } from 'vitest';
import {
  graceEndingMail,
  type PlanChangedWords,
  paymentFailedMail,
  planChangedMail,
  planEndingMail,
} from './billing-mails.ts';

const changed: PlanChangedWords = {
  fromPlan: 'Pro',
  toPlan: 'Free',
  alertLimit: 1,
  event: 'ended',
  isUpgrade: false,
  paused: 0,
  textsOff: 0,
  toResume: 0,
  alertsUrl: 'https://lotwatch.example/my-alerts',
};

it.each<[Partial<PlanChangedWords>, string, string[]]>([
  [{}, 'You are now on the Free plan', ['Your Pro plan is over. It was cancelled.', 'room for 1 active alert.']],
  [{ event: 'refunded' }, 'You are now on the Free plan', ['was refunded in full']],
  [{ event: 'lapsed' }, 'You are now on the Free plan', ['unpaid for seven days']],
  [{ paused: 1 }, 'You are now on the Free plan', ['We paused your newest alert; nothing is deleted.']],
  [{ paused: 3, textsOff: 4 }, 'You are now on the Free plan', ['your 3 newest alerts', 'off for 4 alerts']],
  [
    { event: 'paid', toPlan: 'Starter', alertLimit: 5 },
    'You are now on the Starter plan',
    ['Your Pro plan is over.\n'],
  ],
  [
    { event: 'paid', fromPlan: 'Free', toPlan: 'Pro', alertLimit: 20, isUpgrade: true, toResume: 1 },
    'Your Pro plan is active',
    ['room for 20 active alerts. You can resume 1 alert that'],
  ],
])('a change of plan %j is described', (over, subject, parts) => {
  const mail = planChangedMail({ ...changed, ...over });
  expect(mail.subject).toBe(subject);
  for (const part of [...parts, 'https://lotwatch.example/my-alerts']) expect(mail.text).toContain(part);
  expect(mail.html).toContain(subject);
});

it('the mails about the end of a plan and of a grace period state the date', () => {
  const plansUrl = 'https://lotwatch.example/subscription';
  const unpaid = { plan: 'Pro', keptUntil: 'Mar 17, 2026', plansUrl };
  const mails = [
    planEndingMail({ plan: 'Pro', endsOn: 'Mar 17, 2026', plansUrl }),
    paymentFailedMail(unpaid),
    graceEndingMail(unpaid),
  ];
  expect(mails.map(({ subject }) => subject)).toEqual([
    'Your Pro plan ends on Mar 17, 2026',
    "Your payment didn't go through",
    'Your Pro plan ends on Mar 17, 2026',
  ]);
  for (const { text } of mails) expect(text).toMatch(/Mar 17, 2026[\s\S]*https:\/\/lotwatch\.example\/subscription/);
});
