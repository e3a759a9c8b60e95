import { existsSync, readFileSync, statSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join, posix } from 'node:path';
import express, { type RequestHandler, type Response, Router } from 'express';
import { styleSource } from '../base/content-policy.ts';
import { trimEnd } from '../base/trim-end.ts';
import { escapeHtml } from '../messages/mail-layout.ts';
import type { DrawnPages } from './drawn/drawn-pages.ts';
import type { DrawRule, PageFile } from './drawn/fill-page.ts';
import type { FirstQuery, SendWithData } from './first-data.ts';
import { appPolicy, playgroundPolicy } from './security-headers.ts';

/** An entry of `pages.json` in the built web app. */
interface BuiltPage {
  /** The route's pattern: `/alert/:id`, or `*` for all other paths. */
  path: string;
  /** The file of a separate page, such as `playground.html`; undefined for the app's index.html. */
  file?: string;
  /** Scripts that the page needs in addition to the app's, without a leading slash. */
  scripts: string[];
  /** For crawlers; null for pages that they must not index. */
  head: Head | null;
  /** For link previews of a page that only those know who got its address, which is a secret. */
  unlisted?: Head;
  /** How it is drawn for visitors; absent where it is sent empty. */
  drawn?: DrawRule;
  /** What it asks for first, for signed-in pages. */
  asks?: FirstQuery[];
}

interface Head {
  title: string;
  description: string;
}

const SITE = 'LotWatch';
const meta = (kind: 'name' | 'property', key: string, content: string): string =>
  `<meta ${kind}="${key}" content="${escapeHtml(content)}">`;

/**
 * Makes the lines of a page's `<head>` for crawlers and link previews, which run no scripts.
 * @param publicUrl without a trailing slash
 */
function pageHead(page: BuiltPage | undefined, publicUrl: string): string {
  const scripts = (page?.scripts ?? []).map(
    (file) => `<link rel="modulepreload" crossorigin href="/${escapeHtml(file)}">`,
  );
  if (page?.head) {
    const address = `${publicUrl}${page.path}`;
    return [
      ...previewLines(page.head, publicUrl),
      `<link rel="canonical" href="${escapeHtml(address)}">`,
      meta('property', 'og:url', address),
      ...scripts,
    ].join('\n    ');
  }
  const title = page ? SITE : `404 Page Not Found · ${SITE}`;
  return [
    ...(page?.unlisted ? previewLines(page.unlisted, publicUrl) : [`<title>${title}</title>`]),
    meta('name', 'robots', 'noindex'),
    ...scripts,
  ].join('\n    ');
}

/** Title, description and picture. */
function previewLines(head: Head, publicUrl: string): string[] {
  const title = `${head.title} · ${SITE}`;
  const { description } = head;
  return [
    `<title>${escapeHtml(title)}</title>`,
    meta('name', 'description', description),
    meta('property', 'og:type', 'website'),
    meta('property', 'og:site_name', SITE),
    meta('property', 'og:locale', 'en_US'),
    meta('property', 'og:title', title),
    meta('property', 'og:description', description),
    meta('property', 'og:image', `${publicUrl}/icons/social.png`),
    meta('property', 'og:image:width', '1200'),
    meta('property', 'og:image:height', '630'),
    meta('property', 'og:image:alt', 'LotWatch: find your dream car the minute it is listed'),
    meta('name', 'twitter:card', 'summary_large_image'),
    meta('name', 'twitter:title', title),
    meta('name', 'twitter:description', description),
    meta('name', 'twitter:image', `${publicUrl}/icons/social.png`),
  ];
}

const INDEX = 'index.html';
const INLINE_STYLE = /<style>([^<]*)<\/style>/g;
const HEAD = /<!-- head -->[\s\S]*<!-- \/head -->/;

interface BuiltWeb {
  /** null when there is no list; then every address counts as a page. */
  pages: BuiltPage[] | null;
  /** The file with the head of the page, or of the 404 page for undefined. null when the file is not built yet. */
  file(page: BuiltPage | undefined): PageFile | null;
}

/**
 * Reads the built web app, and again after the next build.
 * @param marks attributes to add to `<html>`, such as `data-test-mode`
 * @returns a function that returns null until the web app is built
 */
function builtWeb(folder: string, publicUrl: string, marks: readonly string[]): () => BuiltWeb | null {
  let known: (BuiltWeb & { builtAt: string }) | null = null;
  const index = join(folder, INDEX);
  const list = join(folder, 'pages.json');
  const files = new Map<string, PageFile & { writtenAt: number }>();
  const read = (name: string): PageFile | null => {
    const path = join(folder, name);
    const writtenAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (writtenAt === undefined) return null;
    const before = files.get(name);
    if (before?.writtenAt === writtenAt) return before;
    const html = readFileSync(path, 'utf8').replace('<html ', `<html ${marks.map((mark) => `${mark} `).join('')}`);
    const styles = [...html.matchAll(INLINE_STYLE)].map(([, css = '']) => styleSource(css));
    const file = { html, styles, writtenAt };
    files.set(name, file);
    return file;
  };
  return () => {
    // A build in progress may have written only one of them.
    const [written, listed] = [index, list].map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs);
    if (written === undefined) return null;
    const builtAt = `${written} ${listed}`;
    if (known?.builtAt !== builtAt) {
      const pages = readPages(list);
      const file = (of: BuiltPage | undefined) => {
        const found = read(of?.file ?? INDEX);
        if (!found) return null;
        // With a function, a `$` in the address is not a replacement pattern.
        const html = found.html.replace(HEAD, (head) => (pages ? pageHead(of, publicUrl) : head));
        return { html, styles: found.styles };
      };
      known = { builtAt, pages, file };
    }
    return known;
  };
}

/** null when the list is missing or incomplete. */
function readPages(file: string): BuiltPage[] | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as BuiltPage[];
  } catch {
    return null;
  }
}

/** Finds the page of an address as the router does; undefined for the 404 page. */
export function pageAt(pages: BuiltPage[], address: string): BuiltPage | undefined {
  let path = address;
  try {
    path = decodeURI(address);
  } catch {
    // The router uses an address with an invalid encoding as it is.
  }
  const parts = path.toLowerCase().split('/');
  // A regular expression would take quadratic time for many slashes.
  while (parts.length > 2 && parts.at(-1) === '') parts.pop();
  return pages.find((page) => {
    const asked = page.path.toLowerCase().split('/');
    return (
      page.path !== '*' &&
      asked.length === parts.length &&
      asked.every((part, at) => (part.startsWith(':') ? parts[at] !== '' : part === parts[at]))
    );
  });
}

const YEAR_MS = 31_536_000_000;
/** It has a policy of its own. */
const PLAYGROUND = 'playground.html';
const endings = { br: '.br', gzip: '.gz' } as const;

interface WebSettings {
  /** A trailing slash is dropped. */
  publicUrl: string;
  /** Whether the page is marked for test mode, so that its first paint leaves space for the bar. */
  isTestMode(request: IncomingMessage): boolean;
  /** Without it, browsers replace their service worker by one that stores nothing; true unless given. */
  offlinePages?: boolean;
  /** Whether somebody may be signed in, who gets the app instead of a page drawn for visitors. */
  mayBeSignedIn(request: IncomingMessage): boolean;
  drawn: DrawnPages;
  /** Without it, no page is sent with its data. */
  sendWithData?: SendWithData;
}

/**
 * Serves the built web app. Hashed files are immutable, pages are revalidated, and each page has its head for crawlers.
 * Unknown addresses get the app's 404 page with status 404.
 * @param folder `web/dist`
 */
export function staticWeb(
  folder: string,
  { publicUrl, isTestMode, offlinePages = true, mayBeSignedIn, drawn, sendWithData }: WebSettings,
): RequestHandler {
  const home = trimEnd(publicUrl, '/');
  const marks = offlinePages ? [] : ['data-online-only'];
  const built = builtWeb(folder, home, marks);
  const marked = builtWeb(folder, home, ['data-test-mode', ...marks]);
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
  // Browsers must find a new service worker at once.
  const setHeaders = (response: Response, path: string) =>
    /-worker\.js$/.test(path) && response.set('Cache-Control', 'no-cache');
  if (!offlinePages) {
    router.get('/service-worker.js', (_request, response) =>
      response.set('Cache-Control', 'no-cache').sendFile('push-worker.js', { root: folder, cacheControl: false }),
    );
  }
  router.use(express.static(folder, { index: false, redirect: false, maxAge: '1h', setHeaders }));
  router.use(async (request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    const isTest = isTestMode(request);
    const web = isTest ? marked() : built();
    const page = web?.pages ? pageAt(web.pages, request.path) : undefined;
    // An unknown address with a file extension is a missing file, not a page.
    if (web && !page && /\.[a-z0-9]{2,5}$/i.test(request.path)) return next();
    const empty = web?.file(page);
    if (!web || !empty) {
      response.status(503).type('text').send('The web app is not built yet: npm run build');
      return;
    }
    const asked = { page: page ?? otherPage(web), request, isTestMode: isTest };
    const file = (mayBeSignedIn(request) ? null : await drawn.fill(empty, asked)) ?? empty;
    response
      .status(page || !web.pages ? 200 : 404)
      .set('Cache-Control', 'no-cache')
      .vary('Cookie')
      .set(
        'Content-Security-Policy',
        page?.file === PLAYGROUND
          ? playgroundPolicy(publicUrl)
          : appPolicy(publicUrl, file.styles, file !== empty && page?.drawn?.posts),
      )
      .type('html');
    // The address of an unlisted page is a secret, which no marketplace and no index may learn.
    if (page?.unlisted) response.set({ 'X-Robots-Tag': 'noindex, nofollow', 'Referrer-Policy': 'no-referrer' });
    if (page && sendWithData && (await sendWithData(request, response, page, file))) return;
    response.send(file.html);
  });
  return router;
}

/** The page for addresses that the router does not know. */
const otherPage = ({ pages }: BuiltWeb): BuiltPage | undefined => pages?.find(({ path }) => path === '*');

/** Whether the path, in any spelling, is a raw page file, which would have no head and could be cached, or code of the server. */
function isInner(path: string): boolean {
  let address = path;
  try {
    address = decodeURIComponent(path);
  } catch {
    // No file has an address with an invalid encoding.
  }
  return /^\/([^/]+\.html|pages\.json|server(\/.*)?)$/.test(posix.normalize(address));
}

/** Sends the compressed file of the build, when there is one and the browser accepts it. */
function precompressed(folder: string): RequestHandler {
  return (request, response, next) => {
    if (!/^\/[\w.-]+\.(js|css|json)$/.test(request.path)) return next();
    response.vary('Accept-Encoding');
    // Checked one by one, since the browser's own order may prefer gzip.
    const coding = (['br', 'gzip'] as const).find((name) => request.acceptsEncodings(name) === name);
    if (!coding) return next();
    const file = `${request.path.slice(1)}${endings[coding]}`;
    if (!existsSync(join(folder, file))) return next();
    response.type(posix.extname(request.path)).set('Content-Encoding', coding);
    response.sendFile(file, { root: folder, immutable: true, maxAge: YEAR_MS });
  };
}
