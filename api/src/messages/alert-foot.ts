import { link, type Markup, markup, styles } from './mail-layout.ts';

/** The links at the end of every mail about an alert; the addresses are signed and need no login. */
export interface AlertFoot {
  alertName: string;
  alertUrl: string;
  renewUrl: string;
  pauseUrl: string;
  unsubscribeUrl: string;
  /** 'Jan 2, 2027' in the buyer's time zone. */
  expiresOn: string;
  ended: boolean;
}

function why(foot: AlertFoot): string {
  return foot.ended ? `It ended on ${foot.expiresOn}.` : `It watches until ${foot.expiresOn}.`;
}

/** A line of a foot is small; on a phone each link still needs room for a finger. */
const target = (label: string, address: string) =>
  markup`<a class="link" href="${address}" style="${{ markup: styles.link }};display:inline-block;padding:12px 18px 12px 0">${label}</a>`;

/** Why this mail came, how long the alert lives, and how to end either. */
export function alertFoot(foot: AlertFoot): Markup[] {
  return [
    markup`You get this mail because of your alert ${link(foot.alertName, foot.alertUrl)}. ${why(foot)}`,
    markup`${target('Renew for 42 days', foot.renewUrl)}${target('Pause this alert', foot.pauseUrl)}${target('Unsubscribe', foot.unsubscribeUrl)}`,
  ];
}

export function alertFootText(foot: AlertFoot): string {
  return [
    '--',
    `You get this mail because of your alert ${foot.alertName}. ${why(foot)}`,
    `All matches: ${foot.alertUrl}`,
    `Renew for 42 days: ${foot.renewUrl}`,
    `Pause this alert: ${foot.pauseUrl}`,
    `Unsubscribe: ${foot.unsubscribeUrl}`,
    '',
  ].join('\n');
}
