import { button, layout, type MailContent, markup, oneLine, panel, paragraph, styles } from './mail-layout.ts';

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
