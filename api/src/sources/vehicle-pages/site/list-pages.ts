import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '../../../base/errors.ts';
import { WebFetchError } from '../../../vendors/web-fetch-guard.ts';
import { decodedText } from '../../decode-body.ts';
import type { VehiclePagesSettings } from '../vehicle-pages-settings.ts';
import type { ListedPage } from './crawl-state.ts';
import { matchesPath } from './path-patterns.ts';
import { readSitemap, type Sitemap } from './read-sitemap.ts';
import type { SiteRequests } from './site-requests.ts';

const SITEMAP_BYTES = 50 * 1024 * 1024;
/** Files of one read; an index may list 50,000. */
const MAX_SITEMAPS = 50;
/** Of one index, from which those are chosen. */
const MAX_LISTED_SITEMAPS = 1_000;
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
async function entriesOf(site: SiteRequests, first: readonly string[], maxEntries: number, isGuess: boolean) {
  const waiting = [...first];
  const seen = new Set(waiting);
  const pages: Sitemap['pages'] = [];
  for (let count = 0; count < MAX_SITEMAPS; count++) {
    const url = waiting.shift();
    if (url === undefined || pages.length >= maxEntries) break;
    let sitemap: Sitemap;
    try {
      sitemap = await fetchSitemap(site, url);
    } catch (error) {
      if (!(isGuess && isMissing(error))) throw error;
      throw new AppError(
        'MALFORMED',
        'The site has no sitemap: name one, or the pages of its cars, in the settings “Sitemap” and “Pages of cars”.',
      );
    }
    pages.push(...sitemap.pages);
    const inner = sitemap.sitemaps
      .slice(0, MAX_LISTED_SITEMAPS)
      .map((entry) => entry.url)
      .filter((one) => URL.canParse(one) && site.isOfSite(new URL(one)) && !seen.has(one))
      .map((one) => ({ url: one, score: carScore(one) }))
      .sort((a, b) => b.score - a.score);
    for (const one of inner) seen.add(one.url);
    waiting.push(...inner.map((one) => one.url));
  }
  return pages;
}

export interface PageList {
  pages: ListedPage[];
  /** Pages above `maxPages`, which are not read, whether robots.txt lets us or not. */
  left: number;
}

const YIELD_AFTER_URLS = 100;
const YIELD_AFTER_MS = 20;
/** Of computing; the largest sites take less than a second. */
const MAX_MS = 20_000;

/** Limits how long many addresses are compared with rules, and yields to other work meanwhile. */
class TimeBudget {
  private urls = 0;
  private spentMs = 0;
  private since = performance.now();

  /** To be called for each address. @throws AppError MALFORMED when they take too long, as those of a hostile site may */
  async spend(): Promise<void> {
    const ms = performance.now() - this.since;
    if (++this.urls % YIELD_AFTER_URLS !== 0 && ms < YIELD_AFTER_MS) return;
    this.spentMs += ms;
    if (this.spentMs > MAX_MS)
      throw new AppError(
        'MALFORMED',
        'its sitemaps and robots.txt take too long to compare: say what the addresses of the cars begin with (include).',
      );
    await nextTurn();
    this.since = performance.now();
  }
}

interface Candidate extends ListedPage {
  /** The higher the sooner it is read. */
  score: number;
}

/** The entries of the site that fit the settings, each once, and how many of the entries are of the site. */
async function candidatesOf(
  site: SiteRequests,
  settings: VehiclePagesSettings,
  entries: Sitemap['pages'],
  known: ReadonlySet<string>,
  budget: TimeBudget,
): Promise<{ candidates: Candidate[]; own: number }> {
  const found = new Map<string, Candidate>();
  let own = 0;
  for (const { url: written, changedAt } of entries) {
    await budget.spend();
    const url = URL.parse(written);
    if (!url || !site.isOfSite(url)) continue;
    own++;
    url.hash = '';
    const path = `${url.pathname}${url.search}`;
    if (url.href.length > MAX_ADDRESS || (settings.include && !matchesPath(path, settings.include))) continue;
    if (matchesPath(path, settings.exclude) || found.has(url.href)) continue;
    const score = (known.has(url.href) ? 100 : 0) + carScore(url.href);
    found.set(url.href, { url: url.href, changedAt, score });
  }
  return { candidates: [...found.values()], own };
}

/** Why no page is left of those that were listed. */
function nothingLeft(
  settings: VehiclePagesSettings,
  entries: Sitemap['pages'],
  own: number,
  fitting: number,
): AppError {
  const why =
    entries.length === 0
      ? 'The sitemap lists no pages.'
      : own === 0
        ? `The sitemap lists pages of another site only, such as ${entries[0]?.url.slice(0, 100)}.`
        : fitting > 0
          ? `robots.txt forbids all ${fitting} pages: ask the dealer to allow LotWatch there.`
          : `None of the ${own} pages fits include and exclude${settings.include ? `, ${settings.include.join(' ')}` : ''}.`;
  return new AppError('MALFORMED', why);
}

/** What the sitemaps of a site list: the one of the settings, else those of robots.txt, else one at the usual address. */
function sitemapEntries(site: SiteRequests, settings: VehiclePagesSettings) {
  // More than are read, as the best are chosen.
  const maxEntries = settings.maxPages * 20;
  if (settings.sitemap) return entriesOf(site, [settings.sitemap], maxEntries, false);
  const named = site.sitemaps.filter((url) => URL.canParse(url) && site.isOfSite(new URL(url)));
  if (named.length > 0) return entriesOf(site, named, maxEntries, false);
  return entriesOf(site, [new URL('/sitemap.xml', settings.site).href], maxEntries, true);
}

/**
 * The pages of a site in the order in which they are read: named ones, then those known to have cars, then those that look
 * like it.
 * @param known the addresses of pages that had cars in the last read
 * @throws WebFetchError; AppError MALFORMED when there is no page to read, or no readable sitemap
 */
export async function listPages(
  site: SiteRequests,
  settings: VehiclePagesSettings,
  known: ReadonlySet<string>,
): Promise<PageList> {
  const named = new Set(settings.pages);
  const isOnlyNamed = named.size > 0 && settings.sitemap === undefined;
  const listed = isOnlyNamed ? [] : await sitemapEntries(site, settings);
  const entries = [...[...named].map((url) => ({ url, changedAt: null })), ...listed];
  const budget = new TimeBudget();
  const { candidates, own } = await candidatesOf(site, settings, entries, known, budget);
  const scoreOf = ({ url, score }: Candidate) => (named.has(url) ? 200 : 0) + score;
  const ordered = isOnlyNamed ? candidates : candidates.toSorted((a, b) => scoreOf(b) - scoreOf(a));
  const pages: ListedPage[] = [];
  let asked = 0;
  for (const { url, changedAt } of ordered) {
    if (pages.length === settings.maxPages) break;
    await budget.spend();
    asked++;
    if (site.isAllowed(url)) pages.push({ url, changedAt });
  }
  if (pages.length === 0) throw nothingLeft(settings, entries, own, candidates.length);
  return { pages, left: ordered.length - asked };
}
