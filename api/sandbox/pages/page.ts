import { pageStyle } from '@lotwatch/api/action-page';
import { contentPolicy, styleSource } from '@lotwatch/api/content-policy';
import { type Markup, markup } from '@lotwatch/api/mail-layout';

const style = `${pageStyle}
.note{background:var(--beam);color:var(--on-beam);padding:10px 16px;text-align:center;font-size:14px;font-weight:600}
:root{--beam:#FDF0D2;--on-beam:#5F3D00;--bad:#A3261F;--bad-soft:#FBE7E4}
@media (prefers-color-scheme:dark){:root{--beam:#33270D;--on-beam:#FFD995;--bad:#FFB4A9;--bad-soft:#3A1814}}
main{padding-top:28px}section+section{margin-top:16px}h2{font-size:17px;margin:0 0 6px}
.price{font-size:30px;font-weight:650;letter-spacing:-.02em;margin:2px 0 14px;font-variant-numeric:tabular-nums}
.price span{font-size:15px;font-weight:400;color:var(--muted);letter-spacing:0}
dl{display:grid;grid-template-columns:auto 1fr;gap:8px 20px;margin:0 0 18px;border-top:1px solid var(--line);padding-top:16px;font-variant-numeric:tabular-nums}
dt{color:var(--muted)}dd{margin:0;text-align:right}dd strong{font-weight:650}
form{margin:0}button.quiet{background:transparent;color:var(--ink);border:1px solid var(--line)}
button.quiet:hover{background:var(--sunk)}.pair{display:grid;grid-template-columns:1fr 1fr;gap:10px}
.notice,.failed{border-radius:12px;padding:12px 14px;margin:0 0 16px;font-weight:600}
.notice{background:var(--sunk)}.failed{background:var(--bad-soft);color:var(--bad)}
ul.try{list-style:none;margin:0;padding:0}ul.try li{border-top:1px solid var(--line);padding:12px 0 2px}ul.try p{margin:0 0 6px}
section>.muted:last-child{margin-bottom:0}.pair+.muted{margin-top:18px}
@media (max-width:420px){.pair{grid-template-columns:1fr;gap:0}}
`;

/** The content security policy of every page: its style, and forms that post to itself. */
export const pagePolicy = contentPolicy({ 'style-src': [styleSource(style)], 'form-action': ["'self'"] });

/** A whole page of the sandbox. */
export function page(title: string, body: Markup): string {
  return markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex"><meta name="color-scheme" content="light dark">
<title>${title} · LotWatch</title><style>${{ markup: style }}</style></head>
<body><div class="note" role="note">Test mode: nothing is charged</div>
<main><p class="brand"><span class="mark" aria-hidden="true"></span>LotWatch</p>${body}</main></body></html>`.markup;
}

export const dollars = (cents: number): string =>
  `${cents < 0 ? '−' : ''}$${(Math.abs(cents) / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })}`;

export const day = (seconds: number): string =>
  new Date(seconds * 1000).toLocaleDateString('en-US', {
    month: 'short',
    day: 'numeric',
    year: 'numeric',
    timeZone: 'UTC',
  });

/** A form with one button, whose value is `action`. */
export function actionButton(action: string, label: string, more: { quiet?: boolean; price?: string } = {}): Markup {
  const price = more.price === undefined ? null : markup`<input type="hidden" name="price" value="${more.price}">`;
  return markup`<form method="post">${price}<button name="action" value="${action}" class="${more.quiet ? 'quiet' : ''}">${label}</button></form>`;
}

export const messagePage = (title: string, text: string, back?: string | null): string =>
  page(
    title,
    markup`<section><h1>${title}</h1><p>${text}</p>${back ? markup`<p class="onward"><a href="${back}">Back to LotWatch</a></p>` : null}</section>`,
  );
