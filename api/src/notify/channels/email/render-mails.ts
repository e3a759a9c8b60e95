import type { Queryable } from '../../../base/database.ts';
import type { Secret } from '../../../base/secret.ts';
import { linkExpiry, signToken } from '../../../domain/action-links.ts';
import { localDate, localMoment } from '../../../domain/local-date.ts';
import { planList } from '../../../domain/plan-list.ts';
import { DEFAULT_TIME_ZONE } from '../../../domain/time-zone.ts';
import {
  addressChangedMail,
  addressChangeMail,
  addressTakenMail,
  confirmMail,
  contactMail,
  idleAccountMail,
  newDeviceMail,
  resetMail,
  textCapMail,
} from '../../../messages/account-mails.ts';
import { type AlertMail, expiredMail, matchMail, reminderMail, testMail } from '../../../messages/alert-mails.ts';
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
  webhookPausedMail,
} from '../../../messages/security-mails.ts';
import type { OutgoingMail } from '../../../vendors/mail.ts';
import type { EnqueuedData } from '../../enqueue-mail.ts';
import type { ClaimedMail } from './claim-mails.ts';
import { type Account, type NotifiedCar, readAccounts, readAlertWords, readMailCars } from './read-mail-words.ts';

const nameOf = (planId: number): string => planList.find(({ id }) => id === planId)?.name ?? '';
const limitOf = (planId: number): number => planList.find(({ id }) => id === planId)?.alertLimit ?? 0;

/** The content of a mail about payments; null for any other kind. Dates are in the user's time zone. */
function billingContent(
  { timeZone }: { timeZone: string },
  { publicUrl }: { publicUrl: string },
  queued: EnqueuedData,
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

/** The content of a mail about access to an account; null for any other kind. Times are in the user's time zone. */
function securityContent(
  { username, timeZone }: { username: string; timeZone: string },
  { publicUrl, supportEmail }: { publicUrl: string; supportEmail: string },
  queued: EnqueuedData,
): MailContent | null {
  const localTime = (time: string) => localMoment(new Date(time), timeZone);
  const about = (at: string) => ({ username, when: localTime(at), forgotUrl: `${publicUrl}/forgot-password` });
  switch (queued.kind) {
    case 'key_changed': {
      const { at, worksUntil, ...change } = queued.data;
      return keyChangedMail(about(at), { ...change, worksUntil: worksUntil === null ? null : localTime(worksUntil) });
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

/** Addresses for the links of mails, and the secret that signs them. */
export interface MailSite {
  /** Without a trailing slash. */
  publicUrl: string;
  secret: Secret;
  supportEmail: string;
  /** For listings without an address of their own. */
  marketplaceHome: string;
}

type Body = Pick<OutgoingMail, 'matchIds' | 'notificationIds' | 'replyTo' | 'headers'> & { content: MailContent };

function plain(content: MailContent, replyTo: string | null = null): Body {
  return { content, replyTo, headers: {}, matchIds: [], notificationIds: [] };
}

/** The data of the mails of one batch, read for all of them at once. */
interface Words {
  accounts: ReadonlyMap<number, Account>;
  alerts: ReadonlyMap<number, AlertMail>;
  cars: ReadonlyMap<string, NotifiedCar[]>;
  now: Date;
}

const alertKinds = new Set(['match', 'test', 'reminder', 'expired']);

async function readWords(queryable: Queryable, site: MailSite, mails: readonly ClaimedMail[]): Promise<Words> {
  const now = new Date();
  const ofAlerts = mails.filter(({ kind }) => alertKinds.has(kind));
  const ofAccounts = mails.filter(({ kind }) => !alertKinds.has(kind));
  const distinct = (ids: (number | null)[]) => [...new Set(ids)].filter((id) => id !== null);
  return {
    accounts: await readAccounts(queryable, distinct(ofAccounts.map(({ userId }) => userId))),
    alerts: await readAlertWords(queryable, site, distinct(ofAlerts.map(({ alertId }) => alertId)), now),
    cars: await readMailCars(
      queryable,
      site,
      ofAlerts.filter(({ kind }) => kind === 'match').map(({ id }) => id),
    ),
    now,
  };
}

function alertBody(words: Words, mail: ClaimedMail): Body | null {
  const alert = words.alerts.get(mail.alertId ?? 0);
  if (!alert) return null;
  const headers = {
    'List-Unsubscribe': `<${alert.foot.unsubscribeUrl}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
  if (mail.kind === 'test') return { ...plain(testMail(alert)), headers };
  if (mail.kind === 'reminder') return { ...plain(reminderMail(alert)), headers };
  if (mail.kind === 'expired') return { ...plain(expiredMail(alert)), headers };
  const cars = words.cars.get(mail.id);
  if (!cars) return null;
  return {
    content: matchMail({ ...alert, cars }),
    replyTo: null,
    headers,
    matchIds: [...new Set(cars.map((car) => `${car.listingId}:${mail.alertId}`))],
    notificationIds: cars.flatMap((car) => car.notificationIds),
  };
}

function accountBody(words: Words, site: MailSite, mail: ClaimedMail): Body | null {
  const { now } = words;
  const userId = mail.userId ?? 0;
  const { username = '', timeZone = DEFAULT_TIME_ZONE } = words.accounts.get(userId) ?? {};
  const ofAddress = (action: 'confirm-email' | 'undo-email') =>
    signToken(site.secret, { action, userId, email: mail.to, expiresAt: linkExpiry(action, now) });
  const undoUrl = () => `${site.publicUrl}/m/${ofAddress('undo-email')}`;
  const queued = enqueuedData(mail);
  switch (queued.kind) {
    case 'confirm':
      return plain(
        confirmMail({ username, confirmUrl: `${site.publicUrl}/confirm-email/${ofAddress('confirm-email')}` }),
      );
    case 'address_taken':
      return plain(addressTakenMail({ username, signInUrl: `${site.publicUrl}/auth` }));
    case 'reset': {
      const { passwordMark, isNeeded = false } = queued.data;
      const claims = { action: 'reset', userId, passwordMark, expiresAt: linkExpiry('reset', now) } as const;
      const resetUrl = `${site.publicUrl}/reset-password/${signToken(site.secret, claims)}`;
      return plain(resetMail({ username, resetUrl, isNeeded }));
    }
    case 'address_change': {
      const { newAddress } = queued.data;
      return plain(addressChangeMail({ username, newAddress, undoUrl: undoUrl(), supportEmail: site.supportEmail }));
    }
    case 'address_changed': {
      const { newAddress, canUndo = false } = queued.data;
      const mailed = { username, newAddress, supportEmail: site.supportEmail };
      return plain(addressChangedMail({ ...mailed, undoUrl: canUndo ? undoUrl() : null }));
    }
    case 'new_device': {
      const { at, ...device } = queued.data;
      const when = localMoment(new Date(at), timeZone);
      const links = { devicesUrl: `${site.publicUrl}/settings/devices`, resetUrl: `${site.publicUrl}/forgot-password` };
      return plain(newDeviceMail({ username, when, ...device, ...links }));
    }
    case 'webhook_paused': {
      const { host, because } = queued.data;
      return plain(webhookPausedMail({ host, because, settingsUrl: `${site.publicUrl}/settings/api` }));
    }
    case 'text_cap': {
      const { cap, resetsAt } = queued.data;
      const resetsOn = localDate(new Date(resetsAt), 'UTC');
      return plain(textCapMail({ username, cap, resetsOn, plansUrl: `${site.publicUrl}/subscription` }));
    }
    case 'idle_account': {
      const deletesOn = localDate(new Date(queued.data.deletesAt), timeZone);
      return plain(idleAccountMail({ username, deletesOn, signInUrl: `${site.publicUrl}/auth` }));
    }
    case 'contact': {
      const message = queued.data;
      return plain(contactMail(message), message.email);
    }
    default:
      return bodyOfAccount(words, site, mail.userId, queued);
  }
}

/** Only `enqueueMail` enqueues mails, with the data of their kind. */
const enqueuedData = ({ kind, data }: ClaimedMail) => ({ kind, data }) as EnqueuedData;

/** The body of a mail to an account; null when the account is gone. */
function bodyOfAccount(words: Words, site: MailSite, userId: number | null, queued: EnqueuedData): Body | null {
  const account = words.accounts.get(userId ?? 0);
  if (!account) return null;
  const content = billingContent(account, site, queued) ?? securityContent(account, site, queued);
  return content && plain(content);
}

function toOutgoing(words: Words, site: MailSite, mail: ClaimedMail): OutgoingMail | null {
  const body = alertKinds.has(mail.kind) ? alertBody(words, mail) : accountBody(words, site, mail);
  if (body === null) return null;
  const { content, headers, ...rest } = body;
  return {
    id: mail.id,
    kind: mail.kind,
    to: mail.to,
    alertId: mail.alertId,
    ...content,
    ...rest,
    headers: { 'X-LotWatch-Id': mail.id, ...headers },
  };
}

/** Renders claimed mails, in their order; null when the alert or its cars are gone. */
export async function renderMails(
  queryable: Queryable,
  site: MailSite,
  mails: readonly ClaimedMail[],
): Promise<(OutgoingMail | null)[]> {
  const words = await readWords(queryable, site, mails);
  return mails.map((mail) => toOutgoing(words, site, mail));
}
