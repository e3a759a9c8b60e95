import {
  button,
  layout,
  link,
  type MailContent,
  type Markup,
  markup,
  panel,
  paragraph,
  styles,
  target,
} from './mail-layout.ts';

/** The links at the end of every mail about an alert; they are signed and need no login. */
export interface AlertFoot {
  alertName: string;
  alertUrl: string;
  renewUrl: string;
  pauseUrl: string;
  /** The page that offers fewer mails. */
  fewerUrl: string;
  unsubscribeUrl: string;
  /** 'Jan 2, 2027' in the buyer's time zone. */
  expiresOn: string;
  ended: boolean;
}

function why(foot: AlertFoot): string {
  return foot.ended ? `It ended on ${foot.expiresOn}.` : `It watches until ${foot.expiresOn}.`;
}

/** Why the mail was sent, until when the alert runs, and the links to change both. */
export function alertFoot(foot: AlertFoot): Markup[] {
  return [
    markup`You get this mail because of your alert ${link(foot.alertName, foot.alertUrl)}. ${why(foot)}`,
    markup`${target('Renew for 42 days', foot.renewUrl)}${target('Fewer mails', foot.fewerUrl)}${target('Pause this alert', foot.pauseUrl)}${target('Unsubscribe', foot.unsubscribeUrl)}`,
  ];
}

export function alertFootText(foot: AlertFoot): string {
  return [
    '--',
    `You get this mail because of your alert ${foot.alertName}. ${why(foot)}`,
    `All matches: ${foot.alertUrl}`,
    `Renew for 42 days: ${foot.renewUrl}`,
    `Fewer mails: ${foot.fewerUrl}`,
    `Pause this alert: ${foot.pauseUrl}`,
    `Unsubscribe: ${foot.unsubscribeUrl}`,
    '',
  ].join('\n');
}

export interface AlertMail {
  /** 'Toyota Camry' */
  alertName: string;
  /** 'Los Angeles, CA' */
  alertPlace: string;
  /** 'Toyota Camry, 2015–2020, within 50 mi' */
  reason: string;
  foot: AlertFoot;
}

interface Words {
  subject: string;
  heading: string;
  paragraphs: readonly string[];
  label: string;
  address: string;
}

function compose(words: Words, foot: AlertFoot): MailContent {
  const html = layout({
    title: words.subject,
    preview: words.paragraphs[0] ?? '',
    body: panel(markup`<h1 class="ink" style="${{ markup: styles.heading }};padding:0 0 12px">${words.heading}</h1>
${words.paragraphs.map(paragraph)}${button(words.label, words.address)}`),
    foot: alertFoot(foot),
  });
  const text = [words.heading, ...words.paragraphs, `${words.label}: ${words.address}`, alertFootText(foot)].join(
    '\n\n',
  );
  return { subject: words.subject, text, html };
}

/** For 'Send Test Notification'. */
export function testMail({ alertName, alertPlace, reason, foot }: AlertMail): MailContent {
  return compose(
    {
      subject: `Test: ${alertName} alert`,
      heading: 'This is a test',
      paragraphs: [
        `Mails of your ${alertName} alert near ${alertPlace} reach you.`,
        `A real one comes when a car matches ${reason}.`,
      ],
      label: 'Open the alert',
      address: foot.alertUrl,
    },
    foot,
  );
}

/** Three days before an alert ends. */
export function reminderMail({ alertName, alertPlace, foot }: AlertMail): MailContent {
  return compose(
    {
      subject: `Your ${alertName} alert ends on ${foot.expiresOn}`,
      heading: `Still looking for your ${alertName}?`,
      paragraphs: [
        `Your ${alertName} alert near ${alertPlace} ends on ${foot.expiresOn}. Renew it, and it watches for 42 more days.`,
      ],
      label: 'Renew for 42 days',
      address: foot.renewUrl,
    },
    foot,
  );
}

/** When an alert has ended. */
export function expiredMail({ alertName, alertPlace, foot }: AlertMail): MailContent {
  return compose(
    {
      subject: `Your ${alertName} alert has ended`,
      heading: `Your ${alertName} alert has ended`,
      paragraphs: [
        `Your ${alertName} alert near ${alertPlace} ended on ${foot.expiresOn} and no longer watches.`,
        'If you are still looking, renew it: it starts again at once.',
      ],
      label: 'Renew for 42 days',
      address: foot.renewUrl,
    },
    foot,
  );
}
