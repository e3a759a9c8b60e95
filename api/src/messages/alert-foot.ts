import { link, type Markup, markup } from './mail-layout.ts';

/** The links at the end of every mail about an alert; the addresses are signed and need no login. */
export interface AlertFoot {
  alertName: string;
  alertUrl: string;
  renewUrl: string;
  pauseUrl: string;
  unsubscribeUrl: string;
  /** 'Jan 2, 2027' in the buyer's time zone. */
  expiresOn: string;
}

/** Why this mail came, how long the alert lives, and how to end either. */
export function alertFoot(foot: AlertFoot): Markup[] {
  return [
    markup`You get this mail because of your alert ${link(foot.alertName, foot.alertUrl)}. It watches until ${foot.expiresOn}.`,
    markup`${link('Renew for 42 days', foot.renewUrl)} &nbsp;·&nbsp; ${link('Pause this alert', foot.pauseUrl)} &nbsp;·&nbsp; ${link('Unsubscribe from its mails', foot.unsubscribeUrl)}`,
  ];
}

export function alertFootText(foot: AlertFoot): string {
  return [
    '--',
    `You get this mail because of your alert ${foot.alertName}. It watches until ${foot.expiresOn}.`,
    `All matches: ${foot.alertUrl}`,
    `Renew for 42 days: ${foot.renewUrl}`,
    `Pause this alert: ${foot.pauseUrl}`,
    `Unsubscribe from its mails: ${foot.unsubscribeUrl}`,
    '',
  ].join('\n');
}
