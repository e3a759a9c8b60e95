import robotsParser from 'robots-parser';
import { describe, expect, it } from 'vitest';
import { parseSources } from '../../source-settings.ts';
import type { VehiclePagesSettings } from '../vehicle-pages-settings.ts';
import { boundedRobots } from './bounded-robots.ts';
import { listPages } from './list-pages.ts';
import type { SiteRequests } from './site-requests.ts';

const SITE = 'https://a.example';
const group = (agent: string, ...rules: string[]) => `User-agent: ${agent}\n${rules.join('\n')}\n`;

describe('the rules of a robots.txt', () => {
  const parse = robotsParser as unknown as (
    url: string,
    text: string,
  ) => {
    isAllowed(url: string, robot: string): boolean;
    getSitemaps(): string[];
    getCrawlDelay(robot: string): number;
  };
  const read = (text: string) => parse(`${SITE}/robots.txt`, boundedRobots(text, 'LotWatch'));
  const allows = (text: string, path: string) => read(text).isAllowed(SITE + path, 'LotWatch');

  it.each<[string, string, string, boolean]>([
    ['for us', group('*', 'Disallow: /') + group('LotWatch', 'Disallow: /a'), '/b', true],
    ['for us', group('*', 'Disallow: /') + group('LotWatch', 'Disallow: /a'), '/a', false],
    ['for all', group('Bad', 'Disallow: /') + group('*', 'Disallow: /a # not this'), '/b', true],
    ['for all', group('Bad', 'Disallow: /') + group('*', 'Disallow: /a # not this'), '/a', false],
    ['for another', group('*', 'Disallow: /a') + group('Bad', 'Disallow: /'), '/b', true],
    ['of a group of several', `User-agent: Bad\r\n${group('lotwatch/2', 'Disallow: /a')}`, '/a/1', false],
    ['with many stars forbid more', group('*', 'Disallow: /a*b*c*d*e'), '/a-b-c-d', false],
    ['with many stars allow nothing', group('*', 'Disallow: /', 'Allow: /a*b*c*d*e'), '/a-b-c-d-e', false],
    ['that are long forbid more', group('*', `Disallow: /${'a'.repeat(500)}$`), `/${'a'.repeat(300)}`, false],
    ['that end', group('*', 'Disallow: /a$'), '/ab', true],
    ['with an exception', group('*', 'Disallow: /', 'Allow: /used/*'), '/used/7', true],
  ])('%s: %j lets us read %s: %j', (_what, text, path, isAllowed) => {
    expect(allows(text, path)).toBe(isAllowed);
  });

  it('keep their sitemaps and delays', () => {
    const robots = read(
      `${group('Bad', 'Disallow: /', 'Crawl-delay: 9')}Sitemap: ${SITE}/s.xml\n${group('*', 'Crawl-delay: 5')}`,
    );
    expect([robots.getSitemaps(), robots.getCrawlDelay('LotWatch')]).toEqual([[`${SITE}/s.xml`], 5]);
  });

  it('are refused when there are too many for us, whatever others have', () => {
    const many = Array.from({ length: 501 }, (_, rule) => `Disallow: /${rule}`);
    expect(allows(group('Bad', ...many) + group('*', ...many.slice(1)), '/7')).toBe(false);
    expect(() => read(group('*', ...many))).toThrow(/more than 500 rules/);
  });
});

describe('a long list of pages', () => {
  const entries = Array.from({ length: 20_000 }, (_, page) => `${SITE}/used/${page}-ford`);
  const list = async (more: object, isAllowed: (url: string) => boolean) => {
    const asked: string[] = [];
    const body = {
      fault: null,
      async *bytes() {
        yield Buffer.from(entries.join('\n'));
      },
      close: () => Promise.resolve(),
    };
    const site = {
      sitemaps: [],
      isOfSite: ({ origin }: URL) => origin === SITE,
      isAllowed: (url: string) => {
        asked.push(url);
        return isAllowed(url);
      },
      get: () => Promise.resolve({ answer: { status: 'ok', body, contentType: 'text/plain' }, url: SITE }),
    } as unknown as SiteRequests;
    const settings = { name: 'lot', kind: 'vehicle-pages', site: SITE, ...more };
    const [parsed] = parseSources(JSON.stringify([settings]), '/') as [VehiclePagesSettings];
    const pages = await listPages(site, parsed, new Set([`${SITE}/used/19999-ford`]));
    return { ...pages, asked };
  };

  it('is compared with robots.txt only for the pages that are read, the best first', async () => {
    const { pages, left, asked } = await list({ maxPages: 5 }, (url) => !url.endsWith('/1950-ford'));
    expect(asked).toHaveLength(6);
    expect(pages).toHaveLength(5);
    expect(left).toBe(20_000 - 6);
    expect(pages[0]?.url).toBe(`${SITE}/used/19999-ford`);
  });

  it('leaves other work its turn', async () => {
    let turns = 0;
    let isListed = false;
    const turn = () => {
      turns++;
      if (!isListed) setImmediate(turn);
    };
    setImmediate(turn);
    await list({}, () => true);
    isListed = true;
    expect(turns).toBeGreaterThan(100);
  });

  it.each([
    [{}, /robots.txt forbids all 20000 pages/],
    [{ include: ['/new/'] }, /None of the 20000 pages fits include and exclude, \/new\/\./],
  ])('of which none is left, with %j, is refused in words', async (more, words) => {
    await expect(list(more, () => false)).rejects.toThrow(words);
  });
});
