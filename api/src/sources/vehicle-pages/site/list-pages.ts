import { AppError } from '../../../base/errors.ts';
import { WebFetchError } from '../../../vendors/web-fetch-guard.ts';
import { decodedText } from '../../decode-body.ts';
import type { VehiclePagesSettings } from '../vehicle-pages-settings.ts';
import type { ListedPage } from './page-book.ts';
import { matchesPath } from './path-patterns.ts';
import { readSitemap, type Sitemap } from './read-sitemap.ts';
import type { SiteRequests } from './site-requests.ts';

const SITEMAP_BYTES = 50 * 1024 * 1024;
/** Files of one read; an index may list 50,000. */
const MAX_SITEMAPS = 50;
const MAX_ADDRESS = 1_000;

async function fetchSitemap(site: SiteRequests, url: string): Promise<Sitemap> {
  const { answer } = await site.get(url, { maxBytes: SITEMAP_BYTES });
  if (answer.status === 'unchanged') return { pages: [], sitemaps: [] };
  try {
    // A list that is cut throws: the cars that it lacks would look sold.
    return await readSitemap(decodedText(answer.body.bytes(), answer.contentType));
  } finally {
    await answer.body.close();
  }
}

const carWords = /vehicle|inventory|used|pre-?owned|cars?[/_-]|auto|truck|suv|listing|stock|for-sale|vdp/i;
const carYear = /(?:^|[^\d])(?:19[5-9]\d|20[0-4]\d)(?:[^\d]|$)/;
const carVin = /[A-HJ-NPR-Z\d]{17}/i;
const otherWords =
  /blog|news|post|tag|author|category|about|contact|privacy|service|parts|finance|review|career|event|image/i;

/** How much an address looks like that of a car's page, so that those are read first. */
export function carScore(url: string): number {
  const { pathname, search } = new URL(url);
  const path = `${pathname}${search}`;
  const score = (carYear.test(path) ? 3 : 0) + (carVin.test(path) ? 4 : 0) + (carWords.test(path) ? 2 : 0);
  return score - (otherWords.test(path) ? 2 : 0);
}

const isMissing = (error: unknown) =>
  error instanceof WebFetchError && (error.status === 404 || error.status === 410 || error.status === 403);

/** All entries of the sitemaps, those of indexes too; the sitemaps that look like those of cars first. */
async function entriesOf(site: SiteRequests, first: readonly string[], enough: number, isGuess: boolean) {
  const waiting = [...first];
  const seen = new Set(waiting);
  const pages: Sitemap['pages'] = [];
  for (let count = 0; count < MAX_SITEMAPS; count++) {
    const url = waiting.shift();
    if (url === undefined || pages.length >= enough) break;
    let sitemap: Sitemap;
    try {
      sitemap = await fetchSitemap(site, url);
    } catch (error) {
      if (!(isGuess && isMissing(error))) throw error;
      throw new AppError(
        'MALFORMED',
        'The site has no sitemap: name it as sitemap, or name the pages of the cars as pages.',
      );
    }
    pages.push(...sitemap.pages);
    const inner = sitemap.sitemaps
      .map((entry) => entry.url)
      .filter((one) => URL.canParse(one) && site.isOfSite(new URL(one)) && !seen.has(one));
    for (const one of inner) seen.add(one);
    waiting.push(...inner.sort((a, b) => carScore(b) - carScore(a)));
  }
  return pages;
}

export interface PageList {
  pages: ListedPage[];
  /** Pages above `maxPages`, which are not read. */
  left: number;
}

/** The addresses of entries that the settings and robots.txt let us read, each once. */
function usable(site: SiteRequests, settings: VehiclePagesSettings, entries: Sitemap['pages']): ListedPage[] {
  const found = new Map<string, ListedPage>();
  for (const { url: written, changedAt } of entries) {
    const url = URL.parse(written);
    if (!url || !site.isOfSite(url)) continue;
    url.hash = '';
    const path = `${url.pathname}${url.search}`;
    if (url.href.length > MAX_ADDRESS || (settings.include && !matchesPath(path, settings.include))) continue;
    if (matchesPath(path, settings.exclude) || !site.isAllowed(url.href)) continue;
    if (!found.has(url.href)) found.set(url.href, { url: url.href, changedAt });
  }
  return [...found.values()];
}

/** Why no page is left of those that were listed. */
function nothingLeft(site: SiteRequests, settings: VehiclePagesSettings, entries: Sitemap['pages']): AppError {
  const own = entries.filter(({ url }) => URL.canParse(url) && site.isOfSite(new URL(url)));
  const allowed = own.filter(({ url }) => site.isAllowed(url));
  const why =
    entries.length === 0
      ? 'The sitemap lists no pages.'
      : own.length === 0
        ? `The sitemap lists pages of another site only, such as ${entries[0]?.url.slice(0, 100)}.`
        : allowed.length === 0
          ? 'robots.txt forbids all pages of the site: ask the dealer to allow LotWatch there.'
          : `None of the ${own.length} pages fits include and exclude${settings.include ? `, ${settings.include.join(' ')}` : ''}.`;
  return new AppError('MALFORMED', why);
}

/**
 * The pages of a site in the order in which they are read: those known to have cars first, then those that look like it.
 * @param known the addresses of pages that had cars in the last read
 * @throws WebFetchError; AppError MALFORMED when there is no page to read, or no readable sitemap
 */
export async function listPages(
  site: SiteRequests,
  settings: VehiclePagesSettings,
  known: ReadonlySet<string>,
): Promise<PageList> {
  let entries: Sitemap['pages'];
  if (settings.pages) entries = settings.pages.map((url) => ({ url, changedAt: null }));
  else {
    const named = settings.sitemap
      ? [settings.sitemap]
      : site.sitemaps.filter((url) => URL.canParse(url) && site.isOfSite(new URL(url)));
    const guess = new URL('/sitemap.xml', settings.site ?? settings.sitemap).href;
    // More than are read, as the best are chosen.
    entries = await entriesOf(site, named.length > 0 ? named : [guess], settings.maxPages * 20, named.length === 0);
  }
  const pages = usable(site, settings, entries);
  if (pages.length === 0) throw nothingLeft(site, settings, entries);
  const scores = new Map(pages.map(({ url }) => [url, (known.has(url) ? 100 : 0) + carScore(url)]));
  const ordered = settings.pages
    ? pages
    : pages.toSorted((a, b) => (scores.get(b.url) ?? 0) - (scores.get(a.url) ?? 0));
  return { pages: ordered.slice(0, settings.maxPages), left: Math.max(0, ordered.length - settings.maxPages) };
}
