import { matchCountText } from '../domain/match-cap.ts';

/** The content of a mail. */
export interface MailContent {
  subject: string;
  text: string;
  html: string;
}

/** HTML that is safe to insert; only `markup` makes it from untrusted values. */
export interface Markup {
  readonly markup: string;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

/** A template tag that escapes every value except markup; null becomes nothing, and a list is joined. */
export function markup(
  parts: TemplateStringsArray,
  ...values: readonly (string | number | null | Markup | readonly Markup[])[]
): Markup {
  const shown = values.map((value) => {
    if (value === null) return '';
    if (typeof value === 'object') {
      return 'markup' in value ? value.markup : value.map((one) => one.markup).join('');
    }
    return escapeHtml(String(value));
  });
  return { markup: parts.map((part, at) => part + (shown[at] ?? '')).join('') };
}

/**
 * Joins a text to one line without control, bidirectional and lone surrogate characters, so that it can neither start a
 * mail header nor change the direction of the line.
 */
export function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
}

/** Normalizes a web address; null for anything that must not become a link. */
export function webAddress(address: string | null): string | null {
  if (address === null || !URL.canParse(address)) return null;
  const { protocol, href } = new URL(address);
  return protocol === 'https:' || protocol === 'http:' ? href : null;
}

const light = {
  bg: '#F7F6F2',
  panel: '#FFFFFF',
  sunk: '#EFEDE6',
  ink: '#12201F',
  muted: '#56645F',
  line: '#DEDBD1',
  brand: '#0B5D57',
  onBrand: '#FFFFFF',
  soft: '#DDEFEA',
  beam: '#FDF0D2',
  onBeam: '#5F3D00',
};
const dark: typeof light = {
  bg: '#0C1413',
  panel: '#131E1D',
  sunk: '#0F1918',
  ink: '#E9F0EE',
  muted: '#9DB0AB',
  line: '#243331',
  brand: '#57C9BC',
  onBrand: '#06211E',
  soft: '#15312E',
  beam: '#33270D',
  onBeam: '#FFD995',
};

const fonts = {
  head: "font-family:'Bricolage Grotesque',Inter,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;letter-spacing:-0.02em",
  text: "font-family:Inter,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;font-variant-numeric:tabular-nums",
};

/** Breaks long words, which would widen the mail on a phone; some clients know only the older property. */
const breaks = 'overflow-wrap:anywhere;word-break:break-word';

/** Inline styles in light colours, for clients that drop the style sheet; its classes have the dark colours. */
export const styles = {
  bg: `background-color:${light.bg}`,
  panel: `${fonts.text};background-color:${light.panel};border:1px solid ${light.line};border-radius:18px;${breaks}`,
  heading: `${fonts.head};color:${light.ink};font-size:22px;line-height:28px;font-weight:650;margin:0;${breaks}`,
  title: `${fonts.head};color:${light.ink};font-size:19px;line-height:25px;font-weight:650;margin:0;${breaks}`,
  price: `${fonts.head};color:${light.ink};font-size:30px;line-height:36px;font-weight:650;margin:0`,
  smallPrice: `${fonts.head};color:${light.ink};font-size:22px;line-height:28px;font-weight:650;margin:0`,
  smallTitle: `${fonts.head};color:${light.ink};font-size:15px;line-height:20px;font-weight:650;margin:0;${breaks}`,
  text: `${fonts.text};color:${light.ink};font-size:15px;line-height:23px;margin:0;${breaks}`,
  muted: `${fonts.text};color:${light.muted};font-size:14px;line-height:21px;margin:0;${breaks}`,
  small: `${fonts.text};color:${light.muted};font-size:13px;line-height:20px;margin:0;${breaks}`,
  // The type of these lines is that of their panel.
  line: `color:${light.muted};font-size:14px;line-height:21px;margin:0`,
  why: `background-color:${light.soft};color:${light.ink};font-size:14px;line-height:22px;padding:10px 14px;border-radius:12px`,
  notice: `${fonts.text};background-color:${light.beam};color:${light.onBeam};font-size:15px;line-height:23px;padding:16px 20px;border-radius:18px;${breaks}`,
  badge: `${fonts.text};display:inline-block;background-color:${light.beam};color:${light.onBeam};font-size:13px;line-height:18px;font-weight:600;padding:3px 9px;border-radius:9px`,
  buttonBox: `background-color:${light.brand};border-radius:12px;mso-padding-alt:12px 20px`,
  button: `${fonts.text};display:block;color:${light.onBrand};font-size:15px;line-height:22px;font-weight:600;text-align:center;text-decoration:none;padding:12px 20px`,
  link: `color:${light.brand};text-decoration:underline`,
  target: `${fonts.text};color:${light.brand};font-size:14px;line-height:20px;text-decoration:underline;display:inline-block;padding:12px 18px 12px 0`,
  // Its alt text has the mail's type, and its box keeps its size while images are blocked.
  photo: `${fonts.text};display:block;object-fit:cover;border:0;border-radius:12px;background-color:${light.sunk};color:${light.muted};font-size:14px;line-height:21px;text-decoration:none`,
};

function rules(colors: typeof light): string {
  return `.bg{background-color:${colors.bg}!important}
.panel{background-color:${colors.panel}!important;border-color:${colors.line}!important}
.ink{color:${colors.ink}!important}.muted{color:${colors.muted}!important}
.why{background-color:${colors.soft}!important;color:${colors.ink}!important}
.badge{background-color:${colors.beam}!important;color:${colors.onBeam}!important}
.photo{background-color:${colors.sunk}!important;color:${colors.muted}!important}
.button-box{background-color:${colors.brand}!important}.button{color:${colors.onBrand}!important}
.link{color:${colors.brand}!important}
.mark-box{background-color:${colors.brand}!important}.mark-ring{border-color:${colors.onBrand}!important}`;
}

/** The logo without an image, since mail clients block images by default. */
const brand = markup`<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr>
<td class="mark-box" width="32" height="32" align="center" valign="middle" style="background-color:${light.brand};border-radius:9px"><div class="mark-ring" style="width:10px;height:10px;border:3px solid ${light.onBrand};border-radius:50%"></div></td>
<td style="padding-left:10px"><span class="ink" style="${{ markup: styles.title }}">LotWatch</span></td></tr></table>`;

/** A link as a button of 46 px. The cell gives it its size where a client ignores the padding of links. */
export function button(label: string, address: string): Markup {
  return markup`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr>
<td class="button-box" align="center" style="${{ markup: styles.buttonBox }}"><a class="button" href="${address}" style="${{ markup: styles.button }}">${label}</a></td></tr></table>`;
}

export function link(label: string, address: string): Markup {
  return markup`<a class="link" href="${address}" style="${{ markup: styles.link }}">${label}</a>`;
}

/** A link of 44 px beside others. */
export function target(label: string, address: string): Markup {
  return markup`<a class="link" href="${address}" style="${{ markup: styles.target }}">${label}</a>`;
}

export function paragraph(text: string | Markup): Markup {
  return markup`<p class="ink" style="${{ markup: styles.text }};padding:0 0 14px">${text}</p>`;
}

export function panel(content: Markup): Markup {
  return markup`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 16px"><tr>
<td class="panel card" style="${{ markup: styles.panel }};padding:20px">${content}</td></tr></table>`;
}

/** Characters without a width, which keep inboxes from showing the mail's first lines after a short preview. */
const afterPreview: Markup = { markup: '&#847;&zwnj;&nbsp;'.repeat(60) };

/** Hidden; it stands first because inboxes show the first text of a mail beside its subject. */
const preheader = (preview: string) =>
  markup`<div style="display:none;max-height:0;max-width:0;overflow:hidden;font-size:1px;line-height:1px;opacity:0;mso-hide:all">${oneLine(preview)}${afterPreview}</div>`;

/** Outlook for Windows ignores `max-width`, so it gets a table of 600 px. */
const outlookColumn = {
  open: {
    markup:
      '<!--[if mso]><table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->',
  },
  close: { markup: '<!--[if mso]></td></tr></table><![endif]-->' },
};

/** Renders a mail with one column of at most 600 px. @param preview shown by inboxes beside the subject */
export function layout(mail: { title: string; preview: string; body: Markup; foot: readonly Markup[] }): string {
  const foot = mail.foot.map(
    (line) => markup`<p class="muted" style="${{ markup: styles.small }};padding:0 0 6px">${line}</p>`,
  );
  return markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no">
<title>${oneLine(mail.title)}</title>
<style>:root{color-scheme:light dark;supported-color-schemes:light dark}
body{margin:0;padding:0;-webkit-text-size-adjust:100%}img{border:0}
@media (max-width:480px){.column{padding:20px 12px!important}.card{padding:16px!important}}
@media (prefers-color-scheme:dark){${{ markup: rules(dark) }}}
</style></head>
<body class="bg" style="margin:0;padding:0;${{ markup: styles.bg }}">
${preheader(mail.preview)}
<table role="presentation" class="bg" width="100%" cellpadding="0" cellspacing="0" border="0" style="${{ markup: styles.bg }}"><tr><td align="center">
${outlookColumn.open}<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:600px;table-layout:fixed"><tr><td class="column" style="padding:28px 20px">
${brand}<div style="height:20px;line-height:20px">&nbsp;</div>
${mail.body}
<div style="padding:8px 4px 0">${foot}</div>
</td></tr></table>${outlookColumn.close}</td></tr></table></body></html>
`.markup;
}

/** The number with the singular or plural of a word. */
export function counted(count: number, one: string, many: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}

/** The same of matches, of which more than an alert keeps are `1,000+`. */
export function countedMatches(count: number, one: string, many: string): string {
  return `${matchCountText(count)} ${count === 1 ? one : many}`;
}

/** A mail with a heading, paragraphs and an optional button. */
interface PlainMail {
  subject: string;
  heading: string;
  paragraphs: readonly string[];
  action?: { label: string; address: string };
  /** A link below the button. */
  also?: { label: string; address: string };
  foot: string;
}

/** Renders a plain mail. */
export function plainMail(words: PlainMail): MailContent {
  const { action, also } = words;
  const html = layout({
    title: words.subject,
    preview: words.paragraphs[0] ?? '',
    body: panel(markup`<h1 class="ink" style="${{ markup: styles.heading }};padding:0 0 12px">${words.heading}</h1>
${words.paragraphs.map(paragraph)}${action ? button(action.label, action.address) : null}${also ? target(also.label, also.address) : null}`),
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
