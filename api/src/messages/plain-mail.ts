import { button, layout, link, type MailContent, markup, oneLine, panel, paragraph, styles } from './mail-layout.ts';

/** A mail of a heading, some sentences and one thing to do. */
export interface PlainMail {
  subject: string;
  heading: string;
  paragraphs: readonly string[];
  action?: { label: string; address: string };
  /** Another thing that one may do, below the button. */
  also?: { label: string; address: string };
  foot: string;
}

/** Lays such a mail out. */
export function plainMail(words: PlainMail): MailContent {
  const { action, also } = words;
  const html = layout({
    title: words.subject,
    preview: words.paragraphs[0] ?? '',
    body: panel(markup`<h1 class="ink" style="${{ markup: styles.heading }};padding:0 0 12px">${words.heading}</h1>
${words.paragraphs.map(paragraph)}${action ? button(action.label, action.address) : null}${also ? paragraph(link(also.label, also.address)) : null}`),
    foot: [markup`${words.foot}`],
  });
  const text = [
    words.heading,
    ...words.paragraphs,
    ...[action, also].flatMap((link) => (link ? [`${link.label}: ${link.address}`] : [])),
    `--\n${words.foot}\n`,
  ].join('\n\n');
  return { subject: oneLine(words.subject), text, html };
}
