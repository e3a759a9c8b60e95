import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type RequestHandler, Router } from 'express';
import { contentPolicy, styleSource } from '../../base/content-policy.ts';
import { AppError } from '../../base/errors.ts';
import { pageTokens } from '../../messages/action-page.ts';
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

/** Our own styles beside Swagger UI's. */
const ownStyle = `${pageTokens}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.55 'Inter Variable',Inter,'Segoe UI',Roboto,Helvetica,Arial,sans-serif}
.head{display:flex;flex-wrap:wrap;align-items:center;gap:4px 20px;max-width:1180px;margin:0 auto;padding:12px 20px}
.head a{color:var(--brand);display:inline-flex;align-items:center;min-height:44px}
.head .brand{gap:10px;margin-right:auto;color:var(--ink);text-decoration:none;font-size:19px;font-weight:650;letter-spacing:-.02em}
.head nav{display:flex;flex-wrap:wrap;gap:0 20px}
.mark{width:32px;height:32px;border-radius:9px;background:var(--brand);display:grid;place-items:center}
.mark::after{content:'';width:10px;height:10px;border:3px solid var(--on-brand);border-radius:50%}
:focus-visible{outline:2px solid var(--brand);outline-offset:2px}
.loading{max-width:1180px;margin:0 auto;padding:20px}
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
.swagger-ui .parameters-col_name{min-width:150px}
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

const style = `${ownStyle}${swaggerStyle}`;

/** Swagger UI's icons are `data:` addresses, and it calls the API of the same origin. */
const docsPolicy = contentPolicy({
  'script-src': ["'self'"],
  'style-src': ["'self'", styleSource(style)],
  'img-src': ["'self'", 'data:'],
  'connect-src': ["'self'"],
});

/** @param folder the path of the page's files, without a trailing slash */
const docsHtml = (folder: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex">
<title>API · LotWatch</title>
<link rel="icon" href="/favicon.ico" sizes="32x32"><link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${folder}/swagger-ui.css"><style>${style}</style>
<script src="${folder}/start.js"></script><script src="${folder}/swagger-ui-bundle.js" defer></script></head>
<body><header class="head"><a class="brand" href="/"><span class="mark" aria-hidden="true"></span>LotWatch</a>
<nav aria-label="For developers"><a href="/playground">GraphQL playground</a><a href="/api/openapi.json">openapi.json</a></nav></header>
<div id="description"><p class="loading">Loading the description …</p><noscript><p class="loading">This page needs scripts. The description itself is at <a href="/api/openapi.json">/api/openapi.json</a>.</p></noscript></div>
</body></html>`;

/** The folder's name is a hash of the files, so that they can be cached for ever. */
const KEPT = 'public, max-age=31536000, immutable';
const swagger = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const own = fileURLToPath(new URL('.', import.meta.url));
/** The files that the page loads; no others are served. */
const files: Readonly<Record<string, string>> = {
  'swagger-ui.css': swagger,
  'swagger-ui-bundle.js': swagger,
  'start.js': own,
};

/** GET /docs: the description of the API as a page. All its files are local, so that it works offline. */
export function docsPage(): RequestHandler {
  const hash = createHash('sha256');
  for (const [name, folder] of Object.entries(files)) hash.update(readFileSync(`${folder}/${name}`));
  const version = hash.digest('hex').slice(0, 12);
  const html = docsHtml(`/api/docs/${version}`);
  const router = Router();
  router.all('/docs', readOnly, (_request, response) => {
    response.set({ 'Cache-Control': 'no-cache', 'Content-Security-Policy': docsPolicy }).type('html').send(html);
  });
  for (const [name, root] of Object.entries(files)) {
    router.all(`/docs/${version}/${name}`, readOnly, (_request, response) => {
      response.set('Cache-Control', KEPT).sendFile(name, { root });
    });
  }
  return router;
}
