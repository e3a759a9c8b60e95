import { localDate, localMoment } from '../../../domain/local-date.ts';
import { planList } from '../../../domain/plan-list.ts';
import type { QueuedData } from '../../../entities/shared/queue-mail.ts';
import {
  graceEndingMail,
  paymentFailedMail,
  planChangedMail,
  planEndingMail,
} from '../../../messages/billing-mails.ts';
import type { MailContent } from '../../../messages/mail-layout.ts';
import {
  keyChangedMail,
  passwordChangedMail,
  secondFactorMail,
  webhookChangedMail,
} from '../../../messages/security-mails.ts';

const nameOf = (planId: number): string => planList.find(({ id }) => id === planId)?.name ?? '';
const limitOf = (planId: number): number => planList.find(({ id }) => id === planId)?.alertLimit ?? 0;

/** What a mail about payments says; null for any other kind. Dates are of the user's time zone. */
export function billingContent(
  { timeZone }: { timeZone: string },
  { publicUrl }: { publicUrl: string },
  queued: QueuedData,
): MailContent | null {
  const plansUrl = `${publicUrl}/subscription`;
  const day = (time: string) => localDate(new Date(time), timeZone);
  switch (queued.kind) {
    case 'plan_changed': {
      const { fromPlanId, toPlanId, ...rest } = queued.data;
      const words = { fromPlan: nameOf(fromPlanId), toPlan: nameOf(toPlanId), alertLimit: limitOf(toPlanId) };
      return planChangedMail({ ...rest, ...words, rises: toPlanId > fromPlanId, alertsUrl: `${publicUrl}/my-alerts` });
    }
    case 'plan_ending': {
      const { planId, endsAt } = queued.data;
      return planEndingMail({ plan: nameOf(planId), endsOn: day(endsAt), plansUrl });
    }
    case 'payment_failed':
    case 'grace_ending': {
      const { planId, graceEndsAt } = queued.data;
      const words = { plan: nameOf(planId), keptUntil: day(graceEndsAt), plansUrl };
      return queued.kind === 'payment_failed' ? paymentFailedMail(words) : graceEndingMail(words);
    }
    default:
      return null;
  }
}

/** What a mail about who can get into an account says; null for any other kind. Times are of the user's time zone. */
export function securityContent(
  { username, timeZone }: { username: string; timeZone: string },
  { publicUrl, supportEmail }: { publicUrl: string; supportEmail: string },
  queued: QueuedData,
): MailContent | null {
  const moment = (time: string) => localMoment(new Date(time), timeZone);
  const about = (at: string) => ({ username, when: moment(at), forgotUrl: `${publicUrl}/forgot-password` });
  switch (queued.kind) {
    case 'key_changed': {
      const { at, worksUntil, ...change } = queued.data;
      return keyChangedMail(about(at), { ...change, worksUntil: worksUntil === null ? null : moment(worksUntil) });
    }
    case 'webhook_changed': {
      const { at, ...change } = queued.data;
      return webhookChangedMail(about(at), change);
    }
    case 'password_changed':
      return passwordChangedMail(about(queued.data.at), queued.data, supportEmail);
    case 'second_factor_changed':
      return secondFactorMail(about(queued.data.at), queued.data.what, supportEmail);
    default:
      return null;
  }
}
