import { describe, expect, it } from 'vitest';
import { SettingsError } from '../base/settings/settings.ts';
import { demoSource, parseSources, readSourcesFile, refuseUnknownPlaces } from './source-settings.ts';

const source = { name: 'lot', kind: 'marketplace-items', url: 'https://cars.example/items' };
const faultsOf = (given: unknown): string[] => {
  try {
    parseSources(typeof given === 'string' ? given : JSON.stringify(given), '/etc/lotwatch');
    return [];
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return error.faults;
  }
};

describe('SOURCES_FILE', () => {
  it('has defaults for settings that are left out', () => {
    expect(parseSources(JSON.stringify([source]), '/')).toEqual([
      { ...source, everySeconds: 60, order: 'newest-first', pageSize: 100, allowPrivateNetwork: false, ended: false },
    ]);
  });

  it('accepts a feed, and a file with a byte order mark', () => {
    const feed = {
      ...source,
      kind: 'vehicle-feed',
      header: { name: 'x-token', value: 't' },
      marketplaceHome: 'https://x.example/',
    };
    expect(parseSources(`\ufeff${JSON.stringify([feed])}`, '/')).toMatchObject([feed]);
  });

  it('resolves a relative path from its own folder', () => {
    const { url: _, ...rest } = source;
    expect(parseSources(JSON.stringify([{ ...rest, file: 'items.json' }]), '/etc/lotwatch')).toMatchObject([
      { file: '/etc/lotwatch/items.json' },
    ]);
  });

  it.each([
    ['no JSON', '[{', /not valid JSON/],
    ['no list', source, /the list/],
    ['a name with a blank', [{ ...source, name: 'my lot' }], /0\.name/],
    ['the same name twice', [source, source], /lot is there twice/],
    ["the demo's name", [{ ...source, name: 'demo' }], /demo marketplace/],
    ['neither url nor file', [{ name: 'a', kind: 'marketplace-items' }], /either url or file/],
    ['both url and file', [{ ...source, file: 'x' }], /either url or file/],
    ['another protocol', [{ ...source, url: 'ftp://cars.example/' }], /0\.url/],
    ['less than 5 s', [{ ...source, everySeconds: 2 }], /at least 5/],
    ['an unknown field', [{ ...source, evrySeconds: 60 }], /evrySeconds/],
    ['an unknown order', [{ ...source, order: 'random' }], /0\.order/],
    ['a header that splits', [{ ...source, header: { name: 'x', value: 'a\r\nb: c' } }], /control/],
    ['an unknown kind', [{ ...source, kind: 'dealer' }], /0\.kind/],
    ['a file that is no text', [{ name: 'a', kind: 'vehicle-feed', file: 7 }], /0\.file/],
    ['a page of none', [{ ...source, pageSize: 0 }], /0\.pageSize/],
    [
      'pages of a feed',
      [{ ...source, kind: 'vehicle-feed', pageSize: 50, order: 'any' }],
      /order.*pageSize|pageSize.*order/,
    ],
  ])('refuses %s', (_, given, fault) => {
    expect(faultsOf(given).join('\n')).toMatch(fault);
  });

  it('reports all faults at once', () => {
    expect(faultsOf([{ ...source, everySeconds: 1, pageSize: 0 }])).toHaveLength(2);
    const many = [source, { ...source, order: 'x', url: 'ftp://x' }, { ...source, name: 'demo', file: 'y' }];
    expect(
      faultsOf(many)
        .map((fault) => fault.split(':')[1]?.trim())
        .sort(),
    ).toEqual(['1.name', '1.order', '1.url', '2', '2.name']);
  });

  it('refuses places that are not known, each with its source', () => {
    const google = (stores: object) => ({
      name: 'lots',
      kind: 'google-vehicle-feed',
      url: 'https://a.example/',
      stores,
    });
    const site = (place: string) => ({ name: 'site', kind: 'vehicle-pages', site: 'https://b.example/', place });
    const sources = (...given: object[]) => parseSources(JSON.stringify(given), '/');
    expect(() =>
      refuseUnknownPlaces(sources(google({ A: '550 Main St, Austin, TX', '*': '75201' }), site('Boise, ID'))),
    ).not.toThrow();
    expect(() => refuseUnknownPlaces(sources(google({ A: 'Austin, TX', B: 'Atlantis, ZZ' }), site('hello')))).toThrow(
      /lots: stores\.B: “Atlantis, ZZ”[\s\S]*site: place: “hello”/,
    );
  });

  it('reports a missing file', () => {
    expect(() => readSourcesFile('/nowhere/sources.json')).toThrow(SettingsError);
  });
});

const HOME = 'http://localhost:3000/demo/';

it('the demo marketplace is polled every 2 s, in pages that hold all new items of that time', () => {
  expect(demoSource('http://127.0.0.1:4100/', 2, HOME)).toMatchObject({
    name: 'demo',
    url: 'http://127.0.0.1:4100/items',
    everySeconds: 2,
    pageSize: 50,
    marketplaceHome: HOME,
    allowPrivateNetwork: true,
  });
  expect(demoSource('http://127.0.0.1:4100', 100, HOME)).toMatchObject({ pageSize: 400 });
});
