import { setCacheNameDetails } from 'workbox-core';
import { CacheExpiration, ExpirationPlugin } from 'workbox-expiration';
import { cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching';
import { registerRoute } from 'workbox-routing';
import { CacheFirst, NetworkOnly } from 'workbox-strategies';
import { PHOTO_CACHE } from '../src/lib/server/offline/names.ts';
import { memberPages } from '../src/page-table.ts';
import { showPushMessages } from './push.ts';

declare const self: ServiceWorkerGlobalScope;
/** The files that an offline page needs, and the version of the app that they belong to; the build writes both. */
declare const FILES: { url: string; revision: string | null }[];
declare const VERSION: string;

/** The page without anybody's data; the server's answers for pages may hold the viewer's, and are never stored. */
const SHELL = '/app-shell';
/** A navigation without an answer in this time is answered with the shell, which then fetches its data by itself. */
const TIMEOUT_S = 5;
const DAY_S = 86_400;
const MAX_ASSETS = 60;
const MAX_ASSET_BYTES = 400_000;
/** Together at most 36 MB; usual photos have a tenth of it. */
const MAX_PHOTOS = 120;
const MAX_PHOTO_BYTES = 300_000;

/** Stores whole answers up to a size. One without a stated size is measured. */
const noLargerThan = (bytes: number) => ({
  async cacheWillUpdate({ response }: { response: Response }) {
    if (response.status !== 200) return null;
    const stated = response.headers.get('content-length');
    const size = stated === null ? (await response.clone().arrayBuffer()).byteLength : Number(stated);
    return size <= bytes ? response : null;
  },
});

setCacheNameDetails({ prefix: 'lotwatch', suffix: '' });
cleanupOutdatedCaches();
precacheAndRoute(FILES, { cleanURLs: false, directoryIndex: '' });

// Files with a hash never change. The playground's are many and large, and it can't be used offline.
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/assets/'),
  new CacheFirst({
    cacheName: 'lotwatch-assets',
    plugins: [
      noLargerThan(MAX_ASSET_BYTES),
      new ExpirationPlugin({ maxEntries: MAX_ASSETS, maxAgeSeconds: 30 * DAY_S, purgeOnQuotaError: true }),
    ],
  }),
);

const isPhoto = (url: URL): boolean => url.origin === self.location.origin && /^\/(demo\/)?photos\//.test(url.pathname);
const photos = new CacheFirst({
  cacheName: PHOTO_CACHE,
  matchOptions: { ignoreVary: true },
  plugins: [
    noLargerThan(MAX_PHOTO_BYTES),
    new ExpirationPlugin({ maxEntries: MAX_PHOTOS, maxAgeSeconds: 7 * DAY_S, purgeOnQuotaError: true }),
  ],
});
registerRoute(({ url, request }) => request.destination === 'image' && isPhoto(url), photos);

const memberPaths = memberPages.map(({ path }) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}/*$`, 'i'));
const page = new NetworkOnly({ networkTimeoutSeconds: TIMEOUT_S });
const otherPage = new NetworkOnly();
const shell = createHandlerBoundToURL(SHELL);
registerRoute(
  ({ request }) => request.mode === 'navigate',
  async (options) => {
    if (!memberPaths.some((path) => path.test(options.url.pathname))) return otherPage.handle(options);
    return page.handle(options).catch(() => shell(options));
  },
);

self.addEventListener('activate', (event) => {
  // The first worker serves the page that registered it. A later one gets here when no page of the former one is open.
  event.waitUntil(Promise.all([self.clients.claim(), self.registration.navigationPreload?.enable()]));
});

/** Takes over from the former worker, unless another page than the one that asks would change under its user. */
async function takeOver(): Promise<void> {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (pages.length <= 1) await self.skipWaiting();
}

self.addEventListener('message', (event) => {
  const { type, urls } = (event.data ?? {}) as { type?: unknown; urls?: unknown };
  if (type === 'version') event.ports[0]?.postMessage(VERSION);
  if (type === 'take-over') event.waitUntil(takeOver());
  // The plugin knows only what it has handled since the worker was started.
  if (type === 'purge-photos') event.waitUntil(new CacheExpiration(PHOTO_CACHE, { maxEntries: MAX_PHOTOS }).delete());
  if (type !== 'photos' || !Array.isArray(urls)) return;
  const wanted = urls.slice(0, MAX_PHOTOS).map((url) => new URL(String(url), self.location.origin));
  const keep = (url: URL) => photos.handle({ event, request: new Request(url.href) }).catch(() => undefined);
  event.waitUntil(Promise.all(wanted.filter(isPhoto).map(keep)));
});

showPushMessages();
