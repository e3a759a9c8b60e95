import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type RequestHandler, Router } from 'express';
import { contentPolicy, styleSource } from '../../base/content-policy.ts';
import { AppError } from '../../base/errors.ts';
import { pageTokens } from '../../messages/action-page.ts';
import { escapeHtml } from '../../messages/mail-layout.ts';
import type { CompiledCall } from '../calls/compiled-call.ts';
import { describeApi } from '../openapi/describe-api.ts';

/** For read-only paths. @throws AppError METHOD_NOT_ALLOWED */
const readOnly: RequestHandler = (request, response, next) => {
  if (request.method === 'GET' || request.method === 'HEAD') return next();
  response.set('Allow', 'GET, HEAD');
  throw new AppError('METHOD_NOT_ALLOWED', 'Only GET and HEAD are accepted here.');
};

/** GET /openapi.json: the description of the calls, computed once. */
export function openapiRoute(calls: readonly CompiledCall[], publicUrl: string): RequestHandler {
  const description = JSON.stringify(describeApi(calls, publicUrl));
  const router = Router();
  router.all('/openapi.json', readOnly, (_request, response) => {
    response.set('Cache-Control', 'no-cache').type('json').send(description);
  });
  return router;
}

const sans = "'Inter Variable','Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const fonts = [
  ['Inter Variable', 'inter-latin-wght-normal.woff2', '100 900'],
  ['Bricolage Grotesque Variable', 'bricolage-grotesque-latin-wght-normal.woff2', '200 800'],
] as const;

/** @param folder the path of the page's files, without a trailing slash */
const fontFaces = (folder: string): string =>
  fonts
    .map(
      ([name, file, weights]) =>
        `@font-face{font-family:'${name}';font-display:swap;font-weight:${weights};src:url('${folder}/${file}') format('woff2')}`,
    )
    .join('\n');

/** Our own styles beside Swagger UI's. */
const ownStyle = `${pageTokens}
:root{--sans:${sans};--display:'Bricolage Grotesque Variable',${sans};--mono:ui-monospace,'Cascadia Code',Menlo,Consolas,'DejaVu Sans Mono',monospace}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.55 var(--sans)}
.head{display:flex;flex-wrap:wrap;align-items:center;gap:4px 20px;max-width:1180px;margin:0 auto;padding:12px 20px}
.head a{color:var(--brand);display:inline-flex;align-items:center;min-height:44px}
.head .brand{gap:10px;margin-right:auto;color:var(--ink);text-decoration:none;font-family:var(--display);font-size:19px;font-weight:650;letter-spacing:-.02em}
.head nav{display:flex;flex-wrap:wrap;gap:0 20px}
.mark{width:32px;height:32px;border-radius:9px;background:var(--brand);display:grid;place-items:center}
.mark::after{content:'';width:10px;height:10px;border:3px solid var(--on-brand);border-radius:50%}
:focus-visible{outline:2px solid var(--brand);outline-offset:2px}
.loading{max-width:1180px;margin:0 auto;padding:20px}
.start{max-width:1140px;margin:8px auto 0;padding:20px;background:var(--panel);border:1px solid var(--line);border-radius:18px}
.start h1{margin:0;font:650 22px/1.3 var(--display);letter-spacing:-.02em}
.start p{margin:10px 0 6px;color:var(--muted)}
.start pre{margin:0;padding:12px 14px;background:var(--sunk);border-radius:12px;font:13px/1.55 var(--mono);white-space:pre-wrap;overflow-wrap:anywhere}
.start a{color:var(--brand)}
@media (max-width:1180px){.start{margin:8px 20px 0}}
@media (max-width:700px){.start{margin:8px 10px 0;padding:16px}}
`;

const methodColors = { get: '#0B5FA5', post: '#1B6E3C', patch: '#7A5200', delete: '#B3261E' };
const methods = Object.entries(methodColors).map(
  ([method, color]) =>
    `.swagger-ui .opblock.opblock-${method} .opblock-summary-method{background:${color}!important;color:#FFFFFF!important}`,
);

/**
 * Overrides of Swagger UI's styles: contrast in both color schemes, space on phones, and hidden controls that have no use
 * here (one server, one media type, no links).
 */
const swaggerStyle = `
html,html.dark-mode,html.dark-mode .swagger-ui{background:var(--bg)}
.swagger-ui{overflow-wrap:anywhere}
.swagger-ui .wrapper{max-width:1180px;padding:0 20px}.swagger-ui .info{margin:16px 0}
.swagger-ui :is(.schemes-server-container,.response-col_links,.response-control-media-type,.body-param-content-type,.content-type-wrapper){display:none!important}
:is(html,html.dark-mode) .swagger-ui .scheme-container{margin:0;padding:0 0 8px;background:none;box-shadow:none}
.swagger-ui .parameters-col_name{min-width:150px}
.swagger-ui .info .title{color:var(--ink)}
.swagger-ui :is(.info .title,.opblock-tag,h4.models-control,section.models h4){font-family:var(--display);letter-spacing:-.02em}
:is(html,html.dark-mode) .swagger-ui :is(.markdown,.renderedMarkdown) code,:is(html,html.dark-mode) .swagger-ui :is(.prop-type,.json-schema-2020-12__attribute--primary){color:var(--ink)}
.swagger-ui .json-schema-2020-12__constraint{background:#3F4753}
html:not(.dark-mode) .swagger-ui :is(.required,.required span,.required::after){color:#B3261E}
${methods.join('\n')}
.swagger-ui .info .title small{background:#56645F}.swagger-ui .info .title small.version-stamp{background:#1B6E3C}
.swagger-ui .parameter__in,.swagger-ui .parameter__deprecated,.swagger-ui .prop-format{color:var(--muted)}
html.dark-mode .swagger-ui .headers .header-col,html.dark-mode .swagger-ui .headers td,html.dark-mode .swagger-ui .parameter__in{color:#E4E6E6}
.swagger-ui .microlight span[style*="211, 99, 99"],.swagger-ui .microlight .hljs-number,.swagger-ui .microlight .hljs-literal{color:#FF9B9B!important}
.swagger-ui .microlight .hljs-attr{color:#FFFFFF}
.swagger-ui .btn.execute{background:#0B5FA5;border-color:#0B5FA5;color:#FFFFFF}.swagger-ui .download-contents{background:#3F4753;color:#FFFFFF}
html:not(.dark-mode) .swagger-ui .btn.cancel{border-color:#B3261E;color:#B3261E}
html:not(.dark-mode) .swagger-ui .btn.authorize{border-color:#1B6E3C;color:#1B6E3C}html:not(.dark-mode) .swagger-ui .btn.authorize svg{fill:#1B6E3C}
.swagger-ui [class*='expand-deep-button'],.swagger-ui [class*='core-keyword__value'] p,.swagger-ui [class*='json-schema-2020-12-keyword--description'] p{color:var(--muted)}
.swagger-ui .json-schema-2020-12__constraint--string{background-color:#8A5A00}
.swagger-ui :is(.curl,.microlight,.curl code,.curl span,.microlight code){white-space:pre-wrap!important;overflow-wrap:anywhere}
.swagger-ui :is(button,select,input,textarea,a,[tabindex]):focus-visible{outline:2px solid var(--brand);outline-offset:2px}
@media (max-width:700px){
.head{padding:12px 10px}
.swagger-ui .wrapper{padding:0 10px}
.swagger-ui .opblock .opblock-summary{flex-wrap:wrap}.swagger-ui .opblock-summary-path a{display:inline-block;min-height:24px;line-height:24px}.swagger-ui .opblock .opblock-summary-description{flex:1 0 100%;padding:4px 0 0}
.swagger-ui .opblock-body :is(table,tbody,tr,td){display:block;width:auto;max-width:none}
.swagger-ui .opblock-body thead{display:none}
.swagger-ui .opblock-body td{padding:6px 0!important}
.swagger-ui .opblock-body :is(input,select,textarea){width:100%;max-width:100%;min-width:0}
.swagger-ui .btn,.swagger-ui .tab li button,.swagger-ui .expand-operation{min-height:40px}
.swagger-ui .markdown table{display:block;overflow-x:auto}
}
`;

/** Swagger UI's icons are `data:` addresses, and it calls the API of the same origin. */
const docsPolicy = (style: string): string =>
  contentPolicy({
    'script-src': ["'self'"],
    'style-src': ["'self'", styleSource(style)],
    'img-src': ["'self'", 'data:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'"],
  });

/** The first calls, to be copied into a terminal. */
const startHtml = (address: string): string => `<section class="start" aria-labelledby="start">
<h1 id="start">Start with curl</h1>
<p>Anybody can read the plans:</p>
<pre tabindex="0"><code>curl -s ${address}/api/subscription/plans</code></pre>
<p>Everything else needs an account. A program of an Elite user’s sends an <a href="/settings/api">API key</a>:</p>
<pre tabindex="0"><code>curl -s ${address}/api/alerts/user -H 'Authorization: Bearer lw_live_…'</code></pre>
</section>`;

/** @param folder the path of the page's files, without a trailing slash */
const docsHtml = (folder: string, style: string, publicUrl: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex">
<title>API · LotWatch</title>
<link rel="icon" href="/favicon.ico" sizes="32x32"><link rel="icon" href="/favicon.svg" type="image/svg+xml">
${fonts.map(([, file]) => `<link rel="preload" href="${folder}/${file}" as="font" type="font/woff2" crossorigin>`).join('')}
<link rel="stylesheet" href="${folder}/swagger-ui.css"><style>${style}</style>
<script src="${folder}/start.js"></script><script src="${folder}/swagger-ui-bundle.js" defer></script></head>
<body><header class="head"><a class="brand" href="/"><span class="mark" aria-hidden="true"></span>LotWatch</a>
<nav aria-label="For developers"><a href="/playground">GraphQL playground</a><a href="/api/openapi.json">openapi.json</a></nav></header>
${startHtml(escapeHtml(publicUrl))}
<div id="description"><p class="loading">Loading the description …</p><noscript><p class="loading">This page needs scripts. The description itself is at <a href="/api/openapi.json">/api/openapi.json</a>.</p></noscript></div>
</body></html>`;

/** The folder's name is a hash of the files, so that they can be cached for ever. */
const KEPT = 'public, max-age=31536000, immutable';
const folderOf = (name: string): string => dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
const swagger = folderOf('swagger-ui-dist');
/** The files that the page loads; no others are served. */
const files: Readonly<Record<string, string>> = {
  'swagger-ui-bundle.js': swagger,
  'start.js': fileURLToPath(new URL('.', import.meta.url)),
  [fonts[0][1]]: `${folderOf('@fontsource-variable/inter')}/files`,
  [fonts[1][1]]: `${folderOf('@fontsource-variable/bricolage-grotesque')}/files`,
};

/** GET /docs: the description of the API as a page. All its files are local, so that it works offline. */
export function docsPage(publicUrl: string): RequestHandler {
  const css = readFileSync(`${swagger}/swagger-ui.css`, 'utf8')
    .replaceAll('font-family:sans-serif', 'font-family:var(--sans)')
    .replaceAll('font-family:monospace', 'font-family:var(--mono)');
  const hash = createHash('sha256').update(css);
  for (const [name, from] of Object.entries(files)) hash.update(readFileSync(`${from}/${name}`));
  const path = `/docs/${hash.digest('hex').slice(0, 12)}`;
  const folder = `/api${path}`;
  const style = `${fontFaces(folder)}${ownStyle}${swaggerStyle}`;
  const policy = docsPolicy(style);
  const html = docsHtml(folder, style, publicUrl);
  const router = Router();
  router.all('/docs', readOnly, (_request, response) => {
    response.set({ 'Cache-Control': 'no-cache', 'Content-Security-Policy': policy }).type('html').send(html);
  });
  for (const [name, root] of Object.entries(files)) {
    router.all(`${path}/${name}`, readOnly, (_request, response) => {
      response.set('Cache-Control', KEPT).sendFile(name, { root });
    });
  }
  // Swagger UI names a font in each of its rules.
  router.all(`${path}/swagger-ui.css`, readOnly, (_request, response) => {
    response.set('Cache-Control', KEPT).type('css').send(css);
  });
  return router;
}
