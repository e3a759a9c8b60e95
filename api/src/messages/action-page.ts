import { type Markup, markup } from './mail-layout.ts';

/** The product's colours, light and dark. */
export const pageTokens = `
:root{color-scheme:light dark;--bg:#F7F6F2;--panel:#FFFFFF;--sunk:#EFEDE6;--ink:#12201F;--muted:#56645F;--line:#DEDBD1;--field:#8B958F;--brand:#0B5D57;--on-brand:#FFFFFF}
@media (prefers-color-scheme:dark){:root{--bg:#0C1413;--panel:#131E1D;--sunk:#0F1918;--ink:#E9F0EE;--muted:#9DB0AB;--line:#243331;--field:#74837F;--brand:#57C9BC;--on-brand:#06211E}}
`;

/** The style sheet of the pages that the API renders. */
export const pageStyle = `${pageTokens}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.55 'Inter Variable',Inter,'Segoe UI',Roboto,Helvetica,Arial,sans-serif}
main{max-width:520px;margin:0 auto;padding:40px 16px}
main.wide{max-width:960px}
.brand,h1,h2{font-family:'Bricolage Grotesque Variable','Bricolage Grotesque',Inter,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;font-weight:650;letter-spacing:-.02em}
.brand{display:flex;align-items:center;gap:10px;font-size:19px;margin:0 0 20px}
.mark{width:32px;height:32px;border-radius:9px;background:var(--brand);display:grid;place-items:center}
.mark::after{content:'';width:10px;height:10px;border:3px solid var(--on-brand);border-radius:50%}
section{background:var(--panel);border:1px solid var(--line);border-radius:18px;padding:24px;overflow-wrap:anywhere}
h1{font-size:22px;line-height:1.3;margin:0 0 10px}form h2{font-size:15px;margin:14px 0 8px}p{margin:0 0 14px}.muted{color:var(--muted)}
button{font:inherit;font-weight:600;width:100%;min-height:48px;border:0;border-radius:12px;background:var(--brand);color:var(--on-brand);padding:12px 20px;cursor:pointer;margin:6px 0 10px}
button.quiet{background:var(--panel);color:var(--ink);border:1px solid var(--field);margin:0 0 10px}
a{color:var(--brand)}.onward{margin:4px 0 0}.onward a,ul.mails a{display:inline-block;padding:10px 0;min-width:44px}
:focus-visible{outline:2px solid var(--brand);outline-offset:2px}
ul.mails{list-style:none;margin:0;padding:0}ul.mails li{border-top:1px solid var(--line);padding:6px 0}ul.mails li>a{font-weight:600}.muted a{color:inherit}ul.mails li:first-child{border-top:0}
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:var(--sunk);border-radius:12px;padding:14px;font-size:13px}
`;

/** Buttons under a common heading. */
export interface ActionChoices {
  heading?: string;
  /** Each posts its value as `choice`. */
  buttons: readonly { value: string; label: string }[];
}

export interface ActionPage {
  heading: string;
  paragraphs: readonly string[];
  /** The label of a button that posts to the page's own address. */
  button?: string;
  /** Further buttons, which post to the page's own address too. */
  choices?: readonly ActionChoices[];
  link?: { label: string; address: string };
}

function choicesForm({ heading, buttons }: ActionChoices): Markup {
  return markup`<form method="post">${heading === undefined ? null : markup`<h2>${heading}</h2>`}${buttons.map(
    ({ value, label }) => markup`<button class="quiet" type="submit" name="choice" value="${value}">${label}</button>`,
  )}</form>`;
}

/** The page of a mail's link: plain HTML that works without scripts, cookies and login. */
export function actionPage(page: ActionPage): string {
  return markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex"><meta name="color-scheme" content="light dark"><title>${page.heading} · LotWatch</title>
<style>${{ markup: pageStyle }}</style></head>
<body><main><p class="brand"><span class="mark" aria-hidden="true"></span>LotWatch</p>
<section><h1>${page.heading}</h1>
${page.paragraphs.map((text) => markup`<p>${text}</p>`)}
${page.button === undefined ? null : markup`<form method="post"><button type="submit">${page.button}</button></form>`}
${(page.choices ?? []).map(choicesForm)}
${page.link === undefined ? null : markup`<p class="onward"><a href="${page.link.address}">${page.link.label}</a></p>`}
</section></main></body></html>
`.markup;
}
