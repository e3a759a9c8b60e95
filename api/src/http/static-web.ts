import { existsSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join, posix } from 'node:path';
import express, { type RequestHandler, Router } from 'express';
import { trimEnd } from '../base/trim-end.ts';
import { builtWeb, pageAt } from './built-web.ts';
import { escapeHtml } from './page-head.ts';
import { appPolicy, playgroundPolicy } from './security-headers.ts';

const YEAR_MS = 31_536_000_000;
/** The page that has a policy of its own. */
const PLAYGROUND = 'playground.html';
const endings = { br: '.br', gzip: '.gz' } as const;

interface WebSettings {
  /** Where browsers reach us; a trailing slash is dropped. */
  publicUrl: string;
  /** For which requests the page is marked, so that its first paint has room for the bar that says so. */
  isTestMode(request: IncomingMessage): boolean;
}

/**
 * The built web app: hashed files for ever, pages never kept, each with the head that crawlers read.
 * Addresses that no route takes get the app's 404 page, as 404.
 * @param folder `web/dist`
 */
export function staticWeb(folder: string, { publicUrl, isTestMode }: WebSettings): RequestHandler {
  const home = trimEnd(publicUrl, '/');
  const built = builtWeb(folder, home, null);
  const marked = builtWeb(folder, home, 'data-test-mode');
  const assets = join(folder, 'assets');
  const router = Router();
  router.use(
    '/assets',
    precompressed(assets),
    express.static(assets, { redirect: false, immutable: true, maxAge: YEAR_MS }),
  );
  router.get('/robots.txt', (_request, response) => {
    response.set('Cache-Control', 'public, max-age=3600').type('text');
    response.send(`User-agent: *\nDisallow: /api/\nDisallow: /graphql\n\nSitemap: ${home}/sitemap.xml\n`);
  });
  router.get('/sitemap.xml', (_request, response, next) => {
    const pages = built()?.pages?.filter(({ head }) => head !== null);
    if (!pages) return next();
    const urls = pages.map(({ path }) => `  <url><loc>${escapeHtml(`${home}${path}`)}</loc></url>`).join('\n');
    response.set('Cache-Control', 'public, max-age=3600').type('xml');
    response.send(
      `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls}\n</urlset>\n`,
    );
  });
  router.use((request, _response, next) => (isInner(request.path) ? next('router') : next()));
  router.use(express.static(folder, { index: false, redirect: false, maxAge: '1h' }));
  router.use((request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    const web = isTestMode(request) ? marked() : built();
    const page = web?.pages ? pageAt(web.pages, request.path) : undefined;
    // A missing file is missing: only addresses of pages get a page.
    if (web && !page && /\.[a-z0-9]{2,5}$/i.test(request.path)) return next();
    const file = web?.file(page);
    if (!web || !file) {
      response.status(503).type('text').send('The web app is not built yet: npm run build');
      return;
    }
    response
      .status(page || !web.pages ? 200 : 404)
      .set('Cache-Control', 'no-cache')
      .set(
        'Content-Security-Policy',
        page?.file === PLAYGROUND ? playgroundPolicy(publicUrl) : appPolicy(publicUrl, file.styles),
      )
      .type('html');
    response.send(file.html);
  });
  return router;
}

/** What the pages are made of, however its address is written: as it lies there it has no head, and would be kept. */
function isInner(path: string): boolean {
  let address = path;
  try {
    address = decodeURIComponent(path);
  } catch {
    // No file has such an address.
  }
  return /^\/([^/]+\.html|pages\.json)$/.test(posix.normalize(address));
}

/** Sends the file that the build pressed, where there is one and the browser reads it. */
function precompressed(folder: string): RequestHandler {
  return (request, response, next) => {
    if (!/^\/[\w.-]+\.(js|css)$/.test(request.path)) return next();
    response.vary('Accept-Encoding');
    // Asked one by one: among equals a browser's order would choose gzip.
    const coding = (['br', 'gzip'] as const).find((name) => request.acceptsEncodings(name) === name);
    if (!coding) return next();
    const file = `${request.path.slice(1)}${endings[coding]}`;
    if (!existsSync(join(folder, file))) return next();
    response.type(request.path.endsWith('.js') ? 'text/javascript' : 'text/css').set('Content-Encoding', coding);
    response.sendFile(file, { root: folder, immutable: true, maxAge: YEAR_MS });
  };
}
