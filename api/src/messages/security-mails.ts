import { type MailContent, oneLine, plainMail } from './mail-layout.ts';

const FOOT = 'LotWatch mails you this because it is about who can get into your account.';

/** The parts that all security mails share. */
interface AboutAccount {
  username: string;
  /** Such as 'Nov 23, 2026, 12:40 PM EST'. */
  when: string;
  /** The page for requesting a new password. */
  resetUrl: string;
}

/** A name that mail programs could show as a link is left out, since an intruder may have chosen it. */
const quoted = (name: string): string => (/[.:/@]/.test(name) ? '' : ` “${oneLine(name)}”`);

function securityMail({ resetUrl }: AboutAccount, subject: string, news: readonly string[], ifNot: string) {
  return plainMail({
    subject,
    heading: subject,
    paragraphs: [...news, `If it was you, there is nothing to do. If it wasn't, ${ifNot}`],
    action: { label: 'Set a new password', address: resetUrl },
    foot: FOOT,
  });
}

const setNewPassword =
  'somebody else is in your account: set a new password now. The page on which you set it also ends API keys and webhooks that you don’t know.';

export interface KeyChange {
  what: 'made' | 'replaced' | 'ended';
  name: string;
  /** The public prefix of the key. */
  prefix: string;
  mayWrite: boolean;
  /** Until when a replaced key works; null when it has ended. */
  worksUntil: string | null;
}

/** After an API key was created, replaced or revoked. */
export function keyChangedMail(about: AboutAccount, change: KeyChange): MailContent {
  const { what, name, prefix, mayWrite, worksUntil } = change;
  const key = `the API key${quoted(name)} (${prefix}…)`;
  const account = `your LotWatch account${quoted(about.username)}`;
  const made = `On ${about.when} ${key} was made for ${account}. Whoever has it can ${mayWrite ? 'read and change' : 'read'} your alerts without your password.`;
  const replaced = `On ${about.when} ${key} of ${account} was replaced by a new one. The old one ${worksUntil === null ? 'ended at once' : `works until ${worksUntil}`}.`;
  const ended = `On ${about.when} ${key} of ${account} was revoked. Programs that use it are refused.`;
  const subjects = { made: 'A new API key', replaced: 'An API key was replaced', ended: 'An API key was revoked' };
  return securityMail(about, subjects[what], [{ made, replaced, ended }[what]], setNewPassword);
}

export interface WebhookChange {
  what: 'added' | 'moved' | 'changed' | 'new_secret' | 'deleted';
  /** The host of its URL. */
  host: string;
  /** The host before the URL was changed. */
  hostBefore: string | null;
  /** Whether a program with an API key made the change. */
  byKey: boolean;
}

/** After a webhook was added, changed or deleted. */
export function webhookChangedMail(about: AboutAccount, change: WebhookChange): MailContent {
  const host = oneLine(change.host);
  const account = `your LotWatch account${quoted(about.username)}`;
  const by = change.byKey ? ' by a program with one of your API keys' : '';
  const at = `On ${about.when}`;
  const words = {
    added: ['A new webhook', `${at} a webhook to ${host} was added to ${account}. It receives your matches.`],
    moved: [
      'A webhook has a new address',
      `${at} the webhook of ${account} that led to ${oneLine(change.hostBefore ?? '')} was changed: it now leads to ${host}, which receives your matches.`,
    ],
    changed: ['A webhook was changed', `${at} the events of the webhook to ${host} of ${account} were changed${by}.`],
    new_secret: [
      'A webhook has a new secret',
      `${at} the webhook to ${host} of ${account} got a new secret, which signs its messages.`,
    ],
    deleted: ['A webhook was deleted', `${at} the webhook to ${host} of ${account} was deleted.`],
  } as const;
  const [subject, news] = words[change.what];
  return securityMail(about, subject, [news], setNewPassword);
}

/** After a browser was added that gets the push notifications of an account. */
export function pushAddedMail(
  about: AboutAccount,
  { browser, system }: { browser: string | null; system: string | null },
): MailContent {
  const where = `${browser ?? 'a browser that did not say which'}${system === null ? '' : ` on ${system}`}`;
  const news = `On ${about.when} push notifications of your LotWatch account${quoted(about.username)} were turned on in ${where}. It shows the cars of your alerts, until it signs out.`;
  const ifNot =
    'somebody else is in your account: set a new password now. Then no device gets push notifications until you turn them on there again.';
  return securityMail(about, 'Push notifications on a new device', [news], ifNot);
}

interface PasswordChange {
  /** With the old password, or with a mailed link. */
  how: 'changed' | 'reset';
  /** The API keys, and the hosts of webhooks, that were ended with it. */
  ended?: { apiKeys: readonly { name: string; prefix: string }[]; webhooks: readonly string[] };
}

/** After a change of the password. */
export function passwordChangedMail(
  about: AboutAccount,
  { how, ended = { apiKeys: [], webhooks: [] } }: PasswordChange,
  supportEmail: string,
): MailContent {
  const account = `your LotWatch account${quoted(about.username)}`;
  const news =
    how === 'changed'
      ? `On ${about.when} the password of ${account} was changed by somebody who knew the old one. All other devices were signed out.`
      : `On ${about.when} the password of ${account} was set with a link that we had mailed to this address. All devices were signed out.`;
  const ifNot = `set a new one now, and write to ${supportEmail} if you can’t.`;
  const keys = ended.apiKeys.map(({ name, prefix }) => `the API key${quoted(name)} (${prefix}…)`);
  const webhooks = ended.webhooks.map((host) => `the webhook to ${oneLine(host)}`);
  const gone = [...keys, ...webhooks];
  const also = gone.length > 0 ? [`These were ended with it: ${gone.join(', ')}.`] : [];
  return securityMail(about, 'Your password was changed', [news, ...also], ifNot);
}

/** After a change of the second factor, or a sign-in with a recovery code. */
export function secondFactorMail(
  about: AboutAccount,
  what: 'on' | 'off' | 'new_codes' | 'recovery_code_used',
  supportEmail: string,
): MailContent {
  const account = `your LotWatch account${quoted(about.username)}`;
  const at = `On ${about.when}`;
  const words = {
    on: [
      'Two-step sign-in is on',
      `${at} two-step sign-in was set up for ${account}. From now on each sign-in asks for a code of an authenticator app. All other devices were signed out.`,
    ],
    off: [
      'Two-step sign-in is off',
      `${at} two-step sign-in was ended for ${account}. The password alone signs in now.`,
    ],
    new_codes: [
      'New recovery codes',
      `${at} new recovery codes were made for ${account}. Those that were there before no longer work.`,
    ],
    recovery_code_used: [
      'A recovery code was used',
      `${at} somebody signed in to ${account} with its password and one of its recovery codes, which does not work again.`,
    ],
  } as const;
  const [subject, news] = words[what];
  const ifNot = `set a new password now, and write to ${supportEmail} if a code keeps you out.`;
  return securityMail(about, subject, [news], ifNot);
}

/** To the owner of a webhook that was paused because it accepts nothing. */
export function webhookPausedMail(mail: {
  host: string;
  because: 'failures' | 'gone';
  settingsUrl: string;
}): MailContent {
  const host = oneLine(mail.host);
  const subject = `Your webhook at ${host} is paused`;
  const paragraphs = [
    mail.because === 'gone'
      ? `Your webhook at ${host} answered 410 Gone, so we stopped sending to it.`
      : `Your webhook at ${host} has accepted nothing for a day, so we stopped trying.`,
    'Its events wait for 7 days. Once the address works again, resume it on the settings page: all that waited is then sent, oldest first.',
  ];
  return plainMail({
    subject,
    heading: subject,
    paragraphs,
    action: { label: 'Open the webhooks', address: mail.settingsUrl },
    foot: 'You get this mail because the webhook belongs to your LotWatch account.',
  });
}
