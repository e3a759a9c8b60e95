import type { Queryable } from '../../../base/database.ts';
import type { Secret } from '../../../base/secret.ts';
import { linkExpiry, signToken } from '../../../domain/action-links.ts';
import { isCarMail, type MailData, NOBODY } from '../../../domain/mail-kinds.ts';
import { planList } from '../../../domain/plan-list.ts';
import { DEFAULT_TIME_ZONE, localDate, localDateTime } from '../../../domain/time-zone.ts';
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
  textLimitMail,
} from '../../../messages/account-mails.ts';
import { type AlertMail, expiredMail, reminderMail, testMail } from '../../../messages/alert-mails.ts';
import {
  graceEndingMail,
  paymentFailedMail,
  planChangedMail,
  planEndingMail,
} from '../../../messages/billing-mails.ts';
import { endedMail } from '../../../messages/ended-mail.ts';
import type { MailContent } from '../../../messages/mail-layout.ts';
import { matchMail } from '../../../messages/match-mails.ts';
import {
  keyChangedMail,
  passwordChangedMail,
  pushAddedMail,
  secondFactorMail,
  webhookChangedMail,
  webhookPausedMail,
} from '../../../messages/security-mails.ts';
import type { OutgoingMail } from '../../../vendors/mail.ts';
import { type EndedCars, readEndedCars } from '../read-ended-cars.ts';
import type { ClaimedMail } from './claim-mails.ts';
import {
  type Account,
  type AlertWords,
  type MailCars,
  readAccounts,
  readAlertWords,
  readMailCars,
} from './read-mail-words.ts';

/** Addresses for the links of mails, and the secret that signs them. */
export interface MailSite {
  /** Without a trailing slash. */
  publicUrl: string;
  secret: Secret;
  supportEmail: string;
  /** For listings without an address of their own. */
  marketplaceHome: string;
}

/** What an account's mail is made of: its reader, its address, and the time. */
interface Mailing {
  site: MailSite;
  now: Date;
  userId: number;
  to: string;
  username: string;
  timeZone: string;
}

const nameOf = (planId: number): string => planList.find(({ id }) => id === planId)?.name ?? '';
const limitOf = (planId: number): number => planList.find(({ id }) => id === planId)?.alertLimit ?? 0;

const dayOf = ({ timeZone }: Mailing, time: string) => localDate(new Date(time), timeZone);
const momentOf = ({ timeZone }: Mailing, time: string) => localDateTime(new Date(time), timeZone);
const plansUrlOf = ({ site }: Mailing) => `${site.publicUrl}/subscription`;

/** The words of all mails about access to an account. */
function accessOf(mailing: Mailing, at: string) {
  const { username, site } = mailing;
  return { username, when: momentOf(mailing, at), resetUrl: `${site.publicUrl}/forgot-password` };
}

/** A token for the address that the mail goes to. */
function addressToken({ site, userId, to, now }: Mailing, action: 'confirm-email' | 'undo-email'): string {
  return signToken(site.secret, { action, userId, email: to, expiresAt: linkExpiry(action, now) });
}
const undoUrlOf = (mailing: Mailing) => `${mailing.site.publicUrl}/m/${addressToken(mailing, 'undo-email')}`;

type AlertKind = 'test' | 'reminder' | 'expired';
type AccountKind = Exclude<keyof MailData, AlertKind>;

const alertMails: { [K in AlertKind]: (alert: AlertMail) => MailContent } = {
  test: testMail,
  reminder: reminderMail,
  expired: expiredMail,
};

/** The content of each kind of mail to an account. Times are shown in the user's time zone. */
const accountMails: { [K in AccountKind]: (data: MailData[K], mailing: Mailing) => MailContent } = {
  confirm(_data, mailing) {
    const confirmUrl = `${mailing.site.publicUrl}/confirm-email/${addressToken(mailing, 'confirm-email')}`;
    return confirmMail({ username: mailing.username, confirmUrl });
  },
  address_taken: (_data, { username, site }) => addressTakenMail({ username, signInUrl: `${site.publicUrl}/auth` }),
  reset({ passwordMark, isNeeded = false }, { site, userId, username, now }) {
    const claims = { action: 'reset', userId, passwordMark, expiresAt: linkExpiry('reset', now) } as const;
    const resetUrl = `${site.publicUrl}/reset-password/${signToken(site.secret, claims)}`;
    return resetMail({ username, resetUrl, isNeeded });
  },
  address_change({ newAddress }, mailing) {
    const { username, site } = mailing;
    return addressChangeMail({ username, newAddress, undoUrl: undoUrlOf(mailing), supportEmail: site.supportEmail });
  },
  address_changed({ newAddress, canUndo = false }, mailing) {
    const { username, site } = mailing;
    const undoUrl = canUndo ? undoUrlOf(mailing) : null;
    return addressChangedMail({ username, newAddress, supportEmail: site.supportEmail, undoUrl });
  },
  new_device({ at, ...device }, mailing) {
    const { username, site } = mailing;
    const links = { devicesUrl: `${site.publicUrl}/settings/devices`, resetUrl: `${site.publicUrl}/forgot-password` };
    return newDeviceMail({ username, when: momentOf(mailing, at), ...device, ...links });
  },
  webhook_paused: ({ host, because }, { site }) =>
    webhookPausedMail({ host, because, settingsUrl: `${site.publicUrl}/settings/api` }),
  text_cap({ cap, resetsAt }, mailing) {
    const resetsOn = localDate(new Date(resetsAt), 'UTC');
    return textCapMail({ username: mailing.username, cap, resetsOn, plansUrl: plansUrlOf(mailing) });
  },
  text_limit: ({ texts, segments, resetsAt }, { site }) =>
    textLimitMail({
      texts,
      segments,
      resetsAt: localDateTime(new Date(resetsAt), 'UTC'),
      adminUrl: `${site.publicUrl}/admin`,
    }),
  idle_account({ deletesAt }, mailing) {
    const { username, site } = mailing;
    return idleAccountMail({ username, deletesOn: dayOf(mailing, deletesAt), signInUrl: `${site.publicUrl}/auth` });
  },
  contact: (message) => contactMail(message),
  plan_changed({ fromPlanId, toPlanId, ...rest }, { site }) {
    const words = { fromPlan: nameOf(fromPlanId), toPlan: nameOf(toPlanId), alertLimit: limitOf(toPlanId) };
    const alertsUrl = `${site.publicUrl}/my-alerts`;
    return planChangedMail({ ...rest, ...words, isUpgrade: toPlanId > fromPlanId, alertsUrl });
  },
  plan_ending: ({ planId, endsAt }, mailing) =>
    planEndingMail({ plan: nameOf(planId), endsOn: dayOf(mailing, endsAt), plansUrl: plansUrlOf(mailing) }),
  payment_failed: (data, mailing) => paymentFailedMail(graceWords(data, mailing)),
  grace_ending: (data, mailing) => graceEndingMail(graceWords(data, mailing)),
  key_changed({ at, worksUntil, ...change }, mailing) {
    const until = worksUntil === null ? null : momentOf(mailing, worksUntil);
    return keyChangedMail(accessOf(mailing, at), { ...change, worksUntil: until });
  },
  webhook_changed: ({ at, ...change }, mailing) => webhookChangedMail(accessOf(mailing, at), change),
  push_added: ({ at, ...device }, mailing) => pushAddedMail(accessOf(mailing, at), device),
  password_changed: (data, mailing) => passwordChangedMail(accessOf(mailing, data.at), data, mailing.site.supportEmail),
  second_factor_changed: ({ at, what }, mailing) =>
    secondFactorMail(accessOf(mailing, at), what, mailing.site.supportEmail),
};

function graceWords({ planId, graceEndsAt }: MailData['payment_failed'], mailing: Mailing) {
  return { plan: nameOf(planId), keptUntil: dayOf(mailing, graceEndsAt), plansUrl: plansUrlOf(mailing) };
}

type Body = Pick<OutgoingMail, 'matchIds' | 'notificationIds' | 'replyTo' | 'headers'> & { content: MailContent };

function plain(content: MailContent, replyTo: string | null = null): Body {
  return { content, replyTo, headers: {}, matchIds: [], notificationIds: [] };
}

/** The data of the mails of one batch, read for all of them at once. */
interface Words {
  accounts: ReadonlyMap<number, Account>;
  alerts: ReadonlyMap<number, AlertWords>;
  cars: ReadonlyMap<string, MailCars>;
  endedCars: ReadonlyMap<string, EndedCars>;
  now: Date;
}

const isAlertKind = (kind: string): kind is AlertKind => kind in alertMails;
const isOfAlert = (kind: string): boolean => isCarMail(kind) || isAlertKind(kind);

async function readWords(queryable: Queryable, site: MailSite, mails: readonly ClaimedMail[]): Promise<Words> {
  const now = new Date();
  const ofAlerts = mails.filter(({ kind }) => isOfAlert(kind));
  const ofAccounts = mails.filter(({ kind }) => !isOfAlert(kind));
  const alertKeys = ofAlerts.flatMap(({ alertId, userId }) => (alertId === null ? [] : { id: alertId, userId }));
  const alerts = await readAlertWords(queryable, site, alertKeys, now);
  const ofCars = ofAlerts.filter(({ kind }) => isCarMail(kind));
  return {
    accounts: await readAccounts(queryable, [...new Set(ofAccounts.map(({ userId }) => userId))]),
    alerts,
    cars: await readMailCars(queryable, site, 'mail_id', ofCars, alerts),
    endedCars: ofCars.length > 0 ? await readEndedCars(queryable, 'mail_id', ofCars) : new Map(),
    now,
  };
}

function alertBody(words: Words, mail: ClaimedMail): Body | null {
  const alert = words.alerts.get(mail.alertId ?? 0);
  if (!alert) return null;
  const headers = {
    'List-Unsubscribe': `<${alert.mail.foot.unsubscribeUrl}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
  if (isAlertKind(mail.kind)) return { ...plain(alertMails[mail.kind](alert.mail)), headers };
  const cars = words.cars.get(mail.id);
  if (!cars) return null;
  const { shown, count, drops, listingIds, notificationIds, heldBy } = cars;
  const ended = words.endedCars.get(mail.id) ?? { shown: [], count: 0 };
  if (shown.length + ended.shown.length === 0) return null;
  const content =
    shown.length > 0
      ? matchMail({ ...alert.mail, kind: mail.kind, cars: shown, count, drops, ended, heldBy, flood: alert.flood })
      : endedMail(alert.mail, ended.shown, ended.count);
  return {
    content,
    replyTo: null,
    headers,
    matchIds: listingIds.map((listingId) => `${listingId}:${mail.alertId}`),
    notificationIds,
  };
}

/** Only `enqueueMail` and its like enqueue mails, with the data of their kind. */
const accountContent = <K extends AccountKind>(kind: K, data: unknown, mailing: Mailing): MailContent =>
  accountMails[kind](data as MailData[K], mailing);

/** null when the account is gone. */
function accountBody(words: Words, site: MailSite, { kind, userId, to, data }: ClaimedMail): Body | null {
  const account = words.accounts.get(userId);
  if (!(kind in accountMails) || (userId !== NOBODY && !account && kind !== 'contact')) return null;
  const { username = '', timeZone = DEFAULT_TIME_ZONE } = account ?? {};
  const mailing: Mailing = { site, now: words.now, userId, to, username, timeZone };
  const replyTo = kind === 'contact' ? (data as MailData['contact']).email : null;
  return plain(accountContent(kind as AccountKind, data, mailing), replyTo);
}

function toOutgoing(words: Words, site: MailSite, mail: ClaimedMail): OutgoingMail | null {
  const body = isOfAlert(mail.kind) ? alertBody(words, mail) : accountBody(words, site, mail);
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
