import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { carsOf, jsonLdPage, pageUrl, pageWith, recordsOf } from '../../../../test/reading/vehicle-pages.ts';
import { linkedNodes } from '../markup/linked-nodes.ts';

const good = '{"@type":"Car","name":"2012 Honda Civic","sku":"A","offers":{"price":"7900"}}';

describe('JSON-LD that is no JSON is read where its meaning is plain', () => {
  test.each<[string, string]>([
    ['trailing commas', '{"@type":"Car","name":"2012 Honda Civic","sku":"A","offers":{"price":"7900",},}'],
    [
      'line breaks in texts',
      '{"@type":"Car","name":"2012 Honda\n Civic","sku":"A","description":"one\r\n\ttwo","offers":{"price":"7900"}}',
    ],
    ['an HTML comment around it', `<!-- ${good} -->`],
    ['CDATA', `<![CDATA[${good}]]>`],
    ['CDATA in comments of a script', `//<![CDATA[\n${good}\n//]]>`],
    ['CDATA in other comments', `/*<![CDATA[*/${good}/*]]>*/`],
    ['a semicolon', `${good};`],
    ['a comment', good.replace('{', '{ /* the car */ ')],
    ['quotes as entities', good.replaceAll('"', '&quot;')],
    ['quotes that are not escaped', good.replace('Civic"', 'Civic 17" wheels"')],
    ['no quotes at names', good.replace(/"(\w+)":/g, '$1:')],
    ['single quotes', good.replaceAll('"', "'")],
    ['a missing value', good.replace('"sku"', '"color":,"sku"')],
    ['undefined and NaN', good.replace('"sku"', '"color":undefined,"mileageFromOdometer":NaN,"sku"')],
    ['a missing end', good.slice(0, -2)],
    ['two objects one after the other', `{"@type":"WebPage"} ${good}`],
    ['two objects side by side', `{"@type":"WebPage"}${good}`],
    ['a byte order mark', `\ufeff${good}`],
  ])('%s', (_fault, script) => {
    expect(carsOf(jsonLdPage(script))[0]).toMatchObject({ externalId: 'A', model: 'civic', year: 2012, price: 7900 });
  });

  test('a broken script does not hide the others', () => {
    const cars = carsOf(jsonLdPage('{{{{', 'function () { return 1 }', '', good, '<html>', '[[['));
    expect(cars).toHaveLength(1);
  });

  test('entities in texts and addresses are decoded once', () => {
    const script = {
      '@type': 'Car',
      name: '2012 Chrysler Town &amp; Country',
      sku: 'A',
      image: '/p.jpg?a=1&amp;copy=2',
      offers: { price: '&#36;7,900' },
    };
    expect(carsOf(jsonLdPage(script))[0]).toMatchObject({
      title: '2012 Chrysler Town & Country',
      model: 'town-country',
      images: ['https://dealer.example/p.jpg?a=1&copy=2'],
      price: 7900,
    });
  });
});

describe('hostile pages', () => {
  const inTime = (html: string) => {
    const started = performance.now();
    const records = recordsOf(html);
    expect(performance.now() - started).toBeLessThan(10_000);
    return records;
  };
  const fields = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, field) => [`p${field}`, field]));
  const nested = (open: string, close: string, times: number, inner = '') =>
    open.repeat(times) + inner + close.repeat(times);

  test.each<[string, string]>([
    ['elements without an end', pageWith('', nested('<b>', '</i>', 300_000))],
    [
      'items in items',
      pageWith('', nested('<i itemscope itemtype="https://schema.org/Car" itemprop="offers">', '</i>', 30_000)),
    ],
    [
      'properties in properties',
      pageWith('', nested('<b itemprop="name">', '</b>', 400, 'x'.repeat(50_000)).repeat(5)),
    ],
    [
      'items that refer to each other',
      pageWith(
        '',
        Array.from(
          { length: 60 },
          (_, at) =>
            `<b id="a${at}" itemscope itemtype="https://schema.org/Car" itemprop="x" itemref="${Array.from({ length: 60 }, (_, to) => `a${to}`).join(' ')}"></b>`,
        ).join(''),
      ),
    ],
    [
      'items that refer to one large part again and again',
      pageWith(
        `<div id="a">${'<p>'.repeat(20_000)}</div>`,
        `<i itemscope itemtype="https://schema.org/Car" itemref="${'a '.repeat(50)}"></i>`.repeat(400),
      ),
    ],
    [
      'an item with a long list of references, that others refer to',
      pageWith(
        `<a id="a" itemprop="x" itemscope itemref="${'b '.repeat(1_000_000)}"></a>`,
        '<i itemscope itemtype="https://schema.org/Car" itemref="a"></i>'.repeat(2000),
      ),
    ],
    [
      'properties around many elements',
      pageWith(
        '',
        `<div itemscope>${nested('<b itemprop="a">', '</b>', 400, '<p></p>'.repeat(5_000)).repeat(25)}</div>`,
      ),
    ],
    ['deep JSON', jsonLdPage(nested('{"a":', '}', 50_000, '1'), nested('[', ']', 100_000))],
    [
      'nodes that refer to each other',
      jsonLdPage({
        '@graph': Array.from({ length: 60 }, (_, at) => ({
          '@type': 'Car',
          '@id': `#${at}`,
          offers: Array.from({ length: 60 }, (_, to) => ({ '@id': `#${to}` })),
        })),
      }),
    ],
    [
      'many cars with many fields',
      jsonLdPage(Array.from({ length: 400 }, (_, car) => ({ '@type': 'Car', sku: `s${car}`, ...fields(300) }))),
    ],
    ['JSON that takes long to repair', jsonLdPage(`{"a":${'"x" '.repeat(15_000)}`)],
    [
      'a long text',
      jsonLdPage({ '@type': 'Car', name: `2012 Honda Civic ${'<a '.repeat(300_000)}`, sku: 'A', offers: {} }),
    ],
    [
      'names of a prototype',
      jsonLdPage('{"__proto__":{"@type":"Car"},"@type":"Car","constructor":{"sku":1},"name":"2012 Honda Civic"}'),
    ],
  ])('%s are read in bounded time', (_what, html) => {
    inTime(html);
    expect({}).not.toHaveProperty('@type');
  });

  test('a large node that is referred to again and again is put there only so often', () => {
    const references = Array.from({ length: 15_000 }, () => ({ '@id': '#a' }));
    const nodes = linkedNodes([{ '@id': '#a', ...fields(400) }, { x: references }], pageUrl);
    expect(JSON.stringify(nodes).length).toBeLessThan(5_000_000);
  });

  test('of a page with very many elements or attributes the first are read', () => {
    const car = `<script type="application/ld+json">${good}</script>`;
    let attribute = 0;
    for (const element of ['<p>', 'a<br>', '<!---->', () => `<p a${attribute++} a${attribute++} a${attribute++}>`]) {
      const many = Array.from({ length: 200_000 }, () => (typeof element === 'string' ? element : element())).join('');
      expect(carsOf(pageWith(car, many))).toHaveLength(1);
      expect(recordsOf(pageWith('', many + car))).toEqual([]);
    }
  });

  test('whatever a page holds, its reader does not throw', () => {
    const piece = fc.constantFrom(
      '<div itemscope itemtype="https://schema.org/Car">',
      '<div itemprop="offers" itemscope>',
      '<b itemprop="price">',
      '</div>',
      '<script type="application/ld+json">',
      '</script>',
      '{"@type":"Car",',
      '"offers":[{"@id":"#a"}]',
      '"@id":"#a",',
      '"name":"2012 Honda Civic"}',
      '[',
      ']',
      '<base href="//:">',
      '<!--',
      '-->',
      '&quot;',
      '\u0000',
      '\ud800',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 40 }), (pieces) => {
        expect(Array.isArray(recordsOf(pieces.join('')))).toBe(true);
      }),
      { numRuns: 250 },
    );
  });
});

test('what is repaired of one page is bounded, however many scripts are broken', () => {
  const cars = Array.from(
    { length: 3 },
    (_, car) =>
      `{"@type":"Car","name":"2015 Honda Civic","sku":"s${car}","description":"${'x'.repeat(30_000)}","offers":{"price":"9000",},}`,
  );
  expect(carsOf(jsonLdPage(...cars)).map(({ externalId }) => externalId)).toEqual(['s0', 's1']);
});

test('a script of more values than a page of cars is left out, and the others are read', () => {
  const many = `[${'{},'.repeat(300_000)}${good.replace('"A"', '"B"')}]`;
  expect(carsOf(jsonLdPage(many, good)).map(({ externalId }) => externalId)).toEqual(['A']);
});
