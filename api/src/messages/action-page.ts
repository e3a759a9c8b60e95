import { markup } from './mail-layout.ts';
import { pageStyle } from './page-style.ts';

export interface ActionPage {
  heading: string;
  paragraphs: readonly string[];
  /** One button that posts to this very page. */
  button?: string;
  link?: { label: string; address: string };
}

/** The page behind a mail's link: plain HTML that works without scripts, cookies and login. */
export function actionPage(page: ActionPage): string {
  return markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex"><meta name="color-scheme" content="light dark"><title>${page.heading} · LotWatch</title>
<style>${{ markup: pageStyle }}</style></head>
<body><main><p class="brand"><span class="mark" aria-hidden="true"></span>LotWatch</p>
<section><h1>${page.heading}</h1>
${page.paragraphs.map((text) => markup`<p>${text}</p>`)}
${page.button === undefined ? null : markup`<form method="post"><button type="submit">${page.button}</button></form>`}
${page.link === undefined ? null : markup`<p class="onward"><a href="${page.link.address}">${page.link.label}</a></p>`}
</section></main></body></html>
`.markup;
}
