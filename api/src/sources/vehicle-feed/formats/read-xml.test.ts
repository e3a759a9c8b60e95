import { expect, test } from 'vitest';
import { detectFormat } from '../read-feed.ts';
import { readXml } from './read-xml.ts';

async function* inChunks(text: string, length: number): AsyncGenerator<string> {
  for (let start = 0; start < text.length; start += length) yield text.slice(start, start + length);
}

const bodyOf = (text: string, length = 1 << 16) => ({
  text: () => inChunks(text, length),
  contentType: null,
  name: 'feed.xml',
});

/** The records, `!CODE` for a rejected one; the fault that ended the read. */
async function read(text: string, length?: number) {
  const seen: unknown[] = [];
  let fault: string | null = null;
  try {
    const body = bodyOf(text, length);
    const format = await detectFormat(body);
    if (format.kind !== 'xml') throw new Error('no XML');
    for await (const entry of readXml(body.text(), format.recordNames)) {
      seen.push('row' in entry ? JSON.parse(JSON.stringify(entry.row)) : `!${entry.code}`);
    }
  } catch (error) {
    fault = error instanceof Error ? error.message : String(error);
  }
  return { seen, fault };
}

const good = (id: string) => `<listing><vehicle_id>${id}</vehicle_id></listing>`;
const is = (id: string) => ({ vehicle_id: id });
const feed = (...records: string[]) =>
  `<?xml version="1.0"?>\n<listings><title>Lot</title>${records.join('\n')}</listings>`;

test.each([
  ['<listings>', `<listings><title>t</title><link rel="self"/>${good('a')}</listings>`],
  ['Atom', '<feed xmlns="x"><id>urn:1</id><entry><vehicle_id>a</vehicle_id></entry></feed>'],
  ['RSS', '<rss version="2"><channel><title>t</title><item><vehicle_id>a</vehicle_id></item></channel></rss>'],
  ['prefixes', '<rss xmlns:g="x"><channel><item><g:Vehicle_ID>a</g:Vehicle_ID></item></channel></rss>'],
  ['a root of any name', '<lot><thing><vehicle_id>a</vehicle_id></thing></lot>'],
  ['an id in an attribute', '<cars><car vehicle_id="a"/></cars>'],
  ['a BOM’s rest and blanks before', `\n \n${feed(good('a'))}`],
])('records lie in %s', async (_, text) => {
  for (const length of [1, 1 << 16]) expect(await read(text, length)).toEqual({ seen: [is('a')], fault: null });
});

test('elements may nest, repeat and have attributes', async () => {
  const { seen } = await read(
    feed(`<listing>
      <mileage><value>10</value><unit>KM</unit></mileage><price currency="USD"> 5 </price>
      <image><url>u1</url><tag>t</tag></image><image><url>u2</url></image>
      <address format="simple"><component name="city">Austin</component><component name="region">TX</component></address>
      <description>good <b>old</b> car</description><title><![CDATA[<i>2017</i> Ford & sons]]></title>
    </listing>`),
  );
  expect(seen).toEqual([
    {
      mileage: { value: '10', unit: 'KM' },
      price: { currency: 'USD', value: '5' },
      image: [{ url: 'u1', tag: 't' }, { url: 'u2' }],
      address: {
        format: 'simple',
        component: [
          { name: 'city', value: 'Austin' },
          { name: 'region', value: 'TX' },
        ],
      },
      description: 'good  old  car',
      title: '<i>2017</i> Ford & sons',
    },
  ]);
});

test.each([
  ['wrong nesting', '<listing><vehicle_id>b</listing>', ['!MALFORMED']],
  ['CDATA that does not close', '<listing><vehicle_id>b</vehicle_id><t><![CDATA[x</t></listing>', ['!MALFORMED']],
  ['a comment that does not close', '<listing><vehicle_id>b</vehicle_id><!-- x </listing>', ['!MALFORMED']],
  ['an end tag of nothing', '<listing></b><vehicle_id>b</vehicle_id></listing>', ['!MALFORMED']],
  ['an attribute without quotes', '<listing><vehicle_id x=1>b</vehicle_id></listing>', ['!MALFORMED']],
  [
    'a bare ampersand',
    '<listing><vehicle_id>b</vehicle_id><url>x?a=1&b=2 & c</url></listing>',
    [{ ...is('b'), url: 'x?a=1&b=2 & c' }],
  ],
  ['HTML’s entities', '<listing><vehicle_id>b</vehicle_id><t>a&nbsp;b&#33;</t></listing>', [{ ...is('b'), t: 'a b!' }]],
  ['an entity of its own', '<listing><vehicle_id>&lol;</vehicle_id></listing>', ['!MALFORMED']],
  [
    'NUL and control characters',
    '<listing><vehicle_id>b</vehicle_id><t>a\u0000b\u0008c</t></listing>',
    [{ ...is('b'), t: 'a b c' }],
  ],
  ['a comment', '<!-- x --><listing><!-- <listing> --><vehicle_id>b</vehicle_id></listing>', [is('b')]],
  [
    '10,000 levels',
    `<listing><vehicle_id>b</vehicle_id>${'<a>'.repeat(10_000)}${'</a>'.repeat(10_000)}</listing>`,
    ['!MALFORMED'],
  ],
  [
    '5 MB in one element',
    `<listing><vehicle_id>b</vehicle_id><t>${'x'.repeat(5_000_000)}</t></listing>`,
    ['!TOO_LARGE'],
  ],
  ['a million elements', `<listing><vehicle_id>b</vehicle_id>${'<t/>'.repeat(1_000_000)}</listing>`, ['!TOO_LARGE']],
  ['nothing at all', '<listing/>', [{}]],
])('%s spoils no other record', async (_, record, outcome) => {
  expect(await read(feed(good('a'), record, good('c')))).toEqual({ seen: [is('a'), ...outcome, is('c')], fault: null });
});

test('a record that is never closed is rejected, and the others are accepted', async () => {
  const { seen, fault } = await read(feed(good('a'), '<listing><vehicle_id>b</vehicle_id>', good('c'), good('d')));
  expect(seen).toEqual([is('a'), '!MALFORMED', is('c'), is('d')]);
  expect(fault).toBeNull();
});

test.each([
  ['within a record', '<listing><vehicle_id>c</vehic'],
  ['between two records', ''],
])('a feed cut %s gives the records before and then fails', async (_, tail) => {
  const { seen, fault } = await read(feed(good('a'), good('b')).replace('</listings>', tail));
  expect(seen).toEqual([is('a'), is('b')]);
  expect(fault).toMatch(/it ends before listings? is closed/);
});

const bomb = `<!DOCTYPE listings [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">
  <!ENTITY x SYSTEM "file:///etc/passwd"><!ENTITY % p SYSTEM "http://127.0.0.1:1/x.dtd"> %p;]>`;

test('entities that a document declares are neither expanded nor fetched', async () => {
  const text = `<?xml version="1.0"?>${bomb}<listings><listing><vehicle_id>&b;</vehicle_id></listing><listing><vehicle_id>&x;</vehicle_id></listing>${good('c')}</listings>`;
  expect(await read(text)).toEqual({ seen: ['!MALFORMED', '!MALFORMED', is('c')], fault: null });
});

test('an external DTD is not fetched', async () => {
  const text = `<!DOCTYPE listings SYSTEM "http://127.0.0.1:1/x.dtd"><listings>${good('a')}</listings>`;
  expect(await read(text)).toEqual({ seen: [is('a')], fault: null });
});

test.each([
  `<!DOCTYPE a [<!ENTITY a "]>"><!ENTITY b '<listing><vehicle_id>"no</vehicle_id></listing>]>'>]>`,
  '<!DOCTYPE a [<!-- don\'t ]> --><?pi "]>?><!ELEMENT a (b)> ] >',
  '<!DOCTYPE a SYSTEM "x>[y">',
  '<!doctype a [ ]>',
])('a DTD ends where nothing quotes its end: %s', async (dtd) => {
  const text = `<?xml version="1.0"?>${dtd}<listings>${good('a')}${good('b')}</listings>`;
  for (const size of [1, 7, 100_000]) {
    const { seen, fault } = await read(text, size);
    expect([seen, fault]).toEqual([[is('a'), is('b')], null]);
  }
});

test('a DTD without an end makes the read fail, as nothing after it can be read', async () => {
  const { seen, fault } = await read(`<!DOCTYPE a [<!ENTITY a "><listings>${good('a')}</listings>`);
  expect([seen, fault]).toEqual([[], expect.stringMatching(/holds no element/)]);
});

test('an end tag without a start tag between records makes the read fail after all records', async () => {
  const { seen, fault } = await read(feed(good('a'), '</b>', good('c')));
  expect(seen).toEqual([is('a'), is('c')]);
  expect(fault).toMatch(/end tag of b belongs to nothing/);
});

test('lists within records may use a record’s name', async () => {
  const record = '<item><vehicle_id>a</vehicle_id><options><item>x</item><item>y</item></options></item>';
  const { seen, fault } = await read(`<rss><channel>${record}</channel></rss>`);
  expect([seen, fault]).toEqual([[{ ...is('a'), options: { item: ['x', 'y'] } }], null]);
});

test('a rejected record is reported with its id and its beginning', async () => {
  const frames = readXml(
    inChunks(feed(`<listing><vehicle_id> b </vehicle_id>${'<t>x</t>'.repeat(100_000)}</listing>`), 1000),
    new Set(['listing']),
  );
  const { value } = await frames.next();
  expect(value).toMatchObject({
    code: 'TOO_LARGE',
    id: 'b',
    record: expect.stringMatching(/^<listing><vehicle_id> b/),
  });
  expect(JSON.stringify(value).length).toBeLessThan(9000);
});

test.each([
  ['<html><body><listing></listing></body></html>', /web page/],
  ['<!DOCTYPE html><p>Sorry', /web page/],
  ['', /empty/],
  [' \n ', /empty/],
  ['[{"vehicle_id": "a"}]', /JSON/],
  ['<'.repeat(1000), /well-formed/],
  [`<a><listing/>${'<a>'.repeat(200_000)}`, /nested too deeply/],
  [`<listings>${'<a>'.repeat(200_000)}`, /it ends before a is closed/],
  [`<listings><listing><t>${'x'.repeat(17_000_000)}`, /it ends before listing is closed/],
  [`<listings><!-- ${'x'.repeat(17_000_000)}`, /it ends before listings is closed/],
])('%.60s can not be read', async (text, reason) => {
  const { seen, fault } = await read(text);
  expect(seen.filter((one) => JSON.stringify(one) !== '{}')).toEqual([]);
  expect(fault).toMatch(reason);
});

test('a feed without records is complete', async () => {
  expect(await read('<?xml version="1.0"?><listings></listings>')).toEqual({ seen: [], fault: null });
  expect(await read('<listings/>')).toEqual({ seen: [], fault: null });
});
