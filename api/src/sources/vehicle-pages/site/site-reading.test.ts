import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { parseSources } from '../../source-settings.ts';
import { carScore } from './list-pages.ts';
import { matchesPath } from './path-patterns.ts';
import { readSitemap } from './read-sitemap.ts';

async function* chunks(text: string, size = 7): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}
const urlset = (inner: string) =>
  `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="i">${inner}</urlset>`;

describe('a sitemap', () => {
  it.each<[string, string, string[], string[]]>([
    [
      'a list',
      urlset('<url><loc> https://a.example/1?a=1&amp;b=2\n</loc></url><url><loc>https://a.example/2</loc></url>'),
      ['https://a.example/1?a=1&b=2', 'https://a.example/2'],
      [],
    ],
    [
      'images of pages',
      urlset(
        '<url><loc>https://a.example/1</loc><image:image><image:loc>https://a.example/1.jpg</image:loc></image:image></url>',
      ),
      ['https://a.example/1'],
      [],
    ],
    ['CDATA', urlset('<url><loc><![CDATA[https://a.example/1]]></loc></url>'), ['https://a.example/1'], []],
    [
      'a prefix',
      '<s:urlset xmlns:s="x"><s:url><s:loc>https://a.example/1</s:loc></s:url></s:urlset>',
      ['https://a.example/1'],
      [],
    ],
    [
      'an index',
      '<sitemapindex><sitemap><loc>https://a.example/s.xml</loc></sitemap></sitemapindex>',
      [],
      ['https://a.example/s.xml'],
    ],
    [
      'lines',
      'https://a.example/1\r\n\r\nhttps://a.example/2\nno address\n',
      ['https://a.example/1', 'https://a.example/2'],
      [],
    ],
    ['nothing', '  \n', [], []],
    ['an empty list', urlset(''), [], []],
  ])('%s', async (_what, text, pages, sitemaps) => {
    for (const size of [1, 7, 10_000]) {
      const read = await readSitemap(chunks(text, size));
      expect([read.pages.map(({ url }) => url), read.sitemaps.map(({ url }) => url)]).toEqual([pages, sitemaps]);
    }
  });

  it.each([
    ['elements without an end', '<a>', /nested too deep/],
    ['blanks', ' ', /begins with blanks only/],
    ['a text', '<a>x', /a text in it is too long/, 'x'],
    ['attributes', '<a ', /a text in it is too long/, 'a{}="" '],
  ])('is refused before its end when it holds nothing but %s', async (_what, start, message, more = start) => {
    let taken = 0;
    async function* endless() {
      yield start;
      for (; taken < 4_000; taken++) yield more.replace('{}', String(taken)).repeat(3_000 / more.length);
    }
    await expect(readSitemap(endless())).rejects.toThrow(message);
    expect(taken).toBeLessThan(3_900);
  });

  it('of addresses is read as far as it has 50,000, each of a usual length', async () => {
    async function* lines() {
      yield `${'x'.repeat(5_000)}\n`;
      for (let page = 0; page < 70_000; page++) yield `https://a.example/${page}\n`;
      throw new Error('was read to the end');
    }
    expect((await readSitemap(lines())).pages).toHaveLength(49_999);
  });

  it('says when a page was changed, where that can be read', async () => {
    const dated = (date: string) => urlset(`<url><loc>https://a.example/1</loc><lastmod>${date}</lastmod></url>`);
    const at = async (date: string) => (await readSitemap(chunks(dated(date)))).pages[0]?.changedAt;
    expect(await at('2026-05-01')).toEqual(new Date('2026-05-01T00:00:00Z'));
    expect(await at('2026-05-01T10:00:00+02:00')).toEqual(new Date('2026-05-01T08:00:00Z'));
    expect(await at('lately')).toBeNull();
  });

  it.each([
    '<!doctype html><html></html>',
    '<html>',
    urlset('<url><loc>https://a.example/1</loc></url>').slice(0, -20),
    '<urlset><url></urlset>',
    `<a>${'<b>'.repeat(5000)}`,
  ])('that is none is refused and not read in part: %j', async (text) => {
    await expect(readSitemap(chunks(text.slice(0, 20_000), 5000))).rejects.toThrow(/web page|well-formed|deep/);
  });
});

test.each<[string, string, boolean]>([
  ['/used/7', '/used/', true],
  ['/unused/7', '/used/', false],
  ['/inventory/2019-ford/used', '/inventory/*/used', true],
  ['/inventory/used', '/inventory/*/used', false],
  ['/a?page=2', '*?page=', true],
  ['/a', '*', true],
])('the path %s and the pattern %s: %j', (path, pattern, matches) => {
  expect(matchesPath(path, [pattern])).toBe(matches);
});

test('pages that look like those of cars are read first', () => {
  const ordered = [
    'https://a.example/blog/2024/used-cars',
    'https://a.example/contact',
    'https://a.example/inventory',
    'https://a.example/used-2019-ford-focus-1FADP3F20KL000001',
  ];
  expect(ordered.toSorted((a, b) => carScore(b) - carScore(a))[0]).toBe(ordered[3]);
});

describe('the settings', () => {
  const base = { name: 'lot', kind: 'vehicle-pages' };
  const parse = (more: object) => parseSources(JSON.stringify([{ ...base, ...more }]), '/');

  it('have defaults, and an example', () => {
    expect(parse({ site: 'https://a.example' })[0]).toMatchObject({ everySeconds: 3600, maxPages: 500, exclude: [] });
    const example = readFileSync(
      new URL('../../../../docs/examples/sources/vehicle-pages.json', import.meta.url),
      'utf8',
    );
    expect(parseSources(example, '/')).toHaveLength(1);
  });

  it.each<[object, RegExp]>([
    [{}, /needs site, sitemap or pages/],
    [{ site: 'https://a.example', sitemap: 'https://b.example/s.xml' }, /must be of the same site/],
    [{ site: 'https://a.example', pages: ['https://b.example/1'] }, /must all be of one site/],
    [{ sitemap: 'https://a.example/s.xml', pages: ['https://b.example/1'] }, /must all be of one site/],
    [{ pages: ['https://a.example/1', 'https://b.example/1'] }, /must all be of one site/],
    [{ site: 'ftp://a.example' }, /must be an http or https address/],
    [{ site: 'https://a.example', maxPages: 5001 }, /maxPages/],
    [{ site: 'https://a.example', everySeconds: 60 }, /at least 600/],
    [{ site: 'https://a.example', include: ['used'] }, /must begin with/],
    [{ site: 'https://a.example', include: ['/*a*b*c*d*e*f*g*h*i*j'] }, /too many/],
    [{ site: 'https://a.example', header: { name: 'X', value: 'y' } }, /header/],
  ])('%j are refused', (more, message) => {
    expect(() => parse(more)).toThrow(message);
  });
});
