import {
  button,
  layout,
  type MailContent,
  markup,
  oneLine,
  panel,
  paragraph,
  plainMail,
  styles,
} from './mail-layout.ts';

const FOOT = 'LotWatch mails you this because it is about who can get into your account.';

/** What every such mail needs beside its news. */
interface AboutAccount {
  username: string;
  /** Like 'Nov 23, 2026, 12:40 PM EST'. */
  when: string;
  /** Where a link for a new password is asked for. */
  forgotUrl: string;
}

/** A name that mail programs could show as a link is left out: whoever is in the account chose it. */
const quoted = (name: string): string => (/[.:/@]/.test(name) ? '' : ` “${oneLine(name)}”`);

function securityMail({ forgotUrl }: AboutAccount, subject: string, news: readonly string[], ifNot: string) {
  return plainMail({
    subject,
    heading: subject,
    paragraphs: [...news, `If it was you, there is nothing to do. If it wasn't, ${ifNot}`],
    action: { label: 'Set a new password', address: forgotUrl },
    foot: FOOT,
  });
}

const endThem =
  'somebody else is in your account: set a new password now. The page on which you set it also ends API keys and webhooks that you don’t know.';

export interface KeyChange {
  what: 'made' | 'replaced' | 'ended';
  name: string;
  /** The beginning of the key, which is no secret. */
  prefix: string;
  mayWrite: boolean;
  /** Until when a replaced key works on; null where it ended. */
  worksUntil: string | null;
}

/** An API key was made, replaced or ended. */
export function keyChangedMail(about: AboutAccount, change: KeyChange): MailContent {
  const { what, name, prefix, mayWrite, worksUntil } = change;
  const key = `the API key${quoted(name)} (${prefix}…)`;
  const account = `your LotWatch account${quoted(about.username)}`;
  const made = `On ${about.when} ${key} was made for ${account}. Whoever has it can ${mayWrite ? 'read and change' : 'read'} your alerts without your password.`;
  const replaced = `On ${about.when} ${key} of ${account} was replaced by a new one. The old one ${worksUntil === null ? 'ended at once' : `works until ${worksUntil}`}.`;
  const ended = `On ${about.when} ${key} of ${account} was ended. Programs that use it are refused.`;
  const subjects = { made: 'A new API key', replaced: 'An API key was replaced', ended: 'An API key was ended' };
  return securityMail(about, subjects[what], [{ made, replaced, ended }[what]], endThem);
}

export interface WebhookChange {
  what: 'added' | 'moved' | 'changed' | 'new_secret' | 'deleted';
  /** Of its address. */
  host: string;
  /** Where it led before it was moved. */
  hostBefore: string | null;
  /** A program with an API key did it. */
  byKey: boolean;
}

/** A webhook was added, changed or deleted. */
export function webhookChangedMail(about: AboutAccount, change: WebhookChange): MailContent {
  const host = oneLine(change.host);
  const account = `your LotWatch account${quoted(about.username)}`;
  const by = change.byKey ? ' by a program with one of your API keys' : '';
  const at = `On ${about.when}`;
  const words = {
    added: ['A new webhook', `${at} a webhook to ${host} was added to ${account}. It is told of your matches.`],
    moved: [
      'A webhook has a new address',
      `${at} the webhook of ${account} that led to ${oneLine(change.hostBefore ?? '')} was changed: it now leads to ${host}, which is told of your matches.`,
    ],
    changed: ['A webhook was changed', `${at} what the webhook to ${host} of ${account} is told of was changed${by}.`],
    new_secret: [
      'A webhook has a new secret',
      `${at} the webhook to ${host} of ${account} got a new secret, which signs all that it is told of.`,
    ],
    deleted: ['A webhook was deleted', `${at} the webhook to ${host} of ${account} was deleted.`],
  } as const;
  const [subject, news] = words[change.what];
  return securityMail(about, subject, [news], endThem);
}

interface PasswordChange {
  /** By somebody who knew the old one, or with a mailed link. */
  how: 'changed' | 'reset';
  /** API keys, and hosts of webhooks, that were ended with it. */
  ended?: { apiKeys: readonly { name: string; prefix: string }[]; webhooks: readonly string[] };
}

/** The password is another. */
export function passwordChangedMail(
  about: AboutAccount,
  { how, ended = { apiKeys: [], webhooks: [] } }: PasswordChange,
  supportEmail: string,
): MailContent {
  const account = `your LotWatch account${quoted(about.username)}`;
  const news =
    how === 'changed'
      ? `On ${about.when} the password of ${account} was changed by somebody who knew the old one. All other devices were signed out.`
      : `On ${about.when} the password of ${account} was set anew with a link that we had mailed to this address. All devices were signed out.`;
  const ifNot = `set a new one now, and write to ${supportEmail} if you can’t.`;
  const keys = ended.apiKeys.map(({ name, prefix }) => `the API key${quoted(name)} (${prefix}…)`);
  const webhooks = ended.webhooks.map((host) => `the webhook to ${oneLine(host)}`);
  const gone = [...keys, ...webhooks];
  const also = gone.length > 0 ? [`These were ended with it: ${gone.join(', ')}.`] : [];
  return securityMail(about, 'Your password was changed', [news, ...also], ifNot);
}

/** The second factor is another, or one of its recovery codes let somebody in. */
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

/** To the owner of a webhook that is paused because it takes nothing any more. */
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
      : `Your webhook at ${host} has taken nothing for a day, so we stopped trying.`,
    'Its events wait for 7 days. Once the address works again, resume it on the settings page: all that waited is then sent, oldest first.',
  ];
  const label = 'Open the webhooks';
  const html = layout({
    title: subject,
    preview: paragraphs[0] ?? '',
    body: panel(markup`<h1 class="ink" style="${{ markup: styles.heading }};padding:0 0 12px">${subject}</h1>
${paragraphs.map(paragraph)}${button(label, mail.settingsUrl)}`),
    foot: [markup`You get this mail because the webhook belongs to your LotWatch account.`],
  });
  const foot = '--\nYou get this mail because the webhook belongs to your LotWatch account.\n';
  return { subject, text: [subject, ...paragraphs, `${label}: ${mail.settingsUrl}`, foot].join('\n\n'), html };
}
