import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { exampleText, marketplaceExamples } from '../../../test/reading/marketplace-examples.ts';
import { gazetteer, node, now } from '../../../test/reading/marketplace-items.ts';
import { AppError } from '../../base/errors.ts';
import { greatCircleMiles } from '../../domain/places/place.ts';
import {
  makeItemReader,
  parseMarketplacePage,
  parseMarketplacePageInSlices,
  readMarketplaceItems,
} from './read-marketplace-items.ts';

const context = { gazetteer, now: new Date('2026-06-01T00:00:00Z') };
const car = (id: string) => JSON.stringify({ id, title: '2012 Honda Civic', price: 5000 });

/** The ids and codes of the records, and the message of the error that ends the read. */
async function read(text: string, { fault, size = 50 }: { fault?: Error; size?: number } = {}) {
  const bits = async function* () {
    for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
    if (fault) throw fault;
  };
  const seen: string[] = [];
  try {
    for await (const record of readMarketplaceItems({ text: bits, contentType: null, name: 'x' }, context)) {
      seen.push('facts' in record ? record.facts.externalId : record.rejection.code);
    }
  } catch (error) {
    return { seen, error: error instanceof Error ? error.message : 'thrown' };
  }
  return { seen, error: null };
}

test.each([
  ['a list', `[${car('1')},{"id":"2"},${car('3')}]`, ['1', 'NOT_A_CAR', '3']],
  ['lines', `${car('1')}\noops\n${car('3')}\n`, ['1', 'MALFORMED', '3']],
  ['nonsense before cars', `oops\n17\n${car('3')}\n`, ['MALFORMED', 'MALFORMED', '3']],
  ['one object', car('1'), ['1']],
  ['one object of linked data', '{"@type":"Car","name":"2012 Honda Civic"}', ['NO_ID']],
  ['cars without ids', '[{"name":"2012 Honda Civic"},{"name":"2013 Honda Civic"}]', ['NO_ID', 'NO_ID']],
  ['a list of nothing but broken ones', '[{"id":},{"id":}]', ['MALFORMED', 'MALFORMED']],
  ['nothing', ' \n', []],
  ['an empty list', '[]', []],
])('%s', async (_, text, seen) => {
  expect(await read(text)).toEqual({ seen, error: null });
});

test.each([
  ['a message', '{"error":"busy"}'],
  ['half a message', '{"error":"bu'],
  ['words', '["down","for","maintenance"]'],
  ['a web page', `<html>\n<script>\n{"id":"1"}\n</script>`],
  ['text', 'Service Unavailable'],
  ['a number', '17'],
])('%s is not read as a list', async (_, text) => {
  expect(await read(text)).toEqual({ seen: [], error: 'The page holds no items.' });
});

it('reading ends after a thousand malformed records in a row', async () => {
  const { seen, error } = await read(`${car('1')}\n${'x\n'.repeat(5000)}${car('2')}`, { size: 1000 });
  expect(error).toMatch(/no items/);
  expect(seen.length).toBeLessThanOrEqual(1001);
});

it('reading ends after a thousand values before the first object, and keeps no more of them', async () => {
  let given = 0;
  const numbers = async function* () {
    for (yield '['; given < 1000; given++) yield '1,'.repeat(1000);
    yield `${car('1')}]`;
  };
  const reading = readMarketplaceItems({ text: numbers, contentType: null, name: 'x' }, context);
  await expect(reading.next()).rejects.toThrow(/no items/);
  expect(given).toBeLessThan(10);
});

it('reading ends after a million records', { tags: 'long' }, async () => {
  const { seen, error } = await read(`[${car('1')}${',{}'.repeat(1_000_100)}]`, { size: 1 << 16 });
  expect([seen.length, error]).toEqual([1_000_000, 'The page has more than 1,000,000 items.']);
});

it('all complete records of a truncated body are yielded before the error', async () => {
  expect(await read(`[${car('1')},${car('2')},{"id":`)).toEqual({
    seen: ['1', '2'],
    error: 'The list breaks off before its end.',
  });
  const fault = new Error('cut');
  expect(await read(`[${car('1')},${car('2')},{"id":`, { fault })).toEqual({ seen: ['1', '2'], error: 'cut' });
  expect(await read(`${car('1')}\n${car('2')}`, { fault })).toEqual({ seen: ['1', '2'], error: 'cut' });
  expect(await read(car('1'), { fault })).toEqual({ seen: ['1'], error: 'cut' });
  expect(await read('{"error":"busy"}', { fault })).toEqual({ seen: [], error: 'cut' });
});

const codes = (raws: unknown[], laterWins = false) => {
  const read = makeItemReader({ gazetteer, now, laterWins });
  return raws.map((raw) => {
    const record = read(raw);
    return 'facts' in record ? record.facts.price : record.rejection.code;
  });
};
const priced = (price: number, id = node.id) => ({ ...node, id, formatted_price: null, listing_price: price });

test('two items with one id and the same facts are one listing', () => {
  expect(codes([priced(8900), { ...priced(8900), cursor: 2 }, { listing: priced(8900) }])).toEqual([8900, 8900, 8900]);
});

test('of two items with one id and different facts the first is used', () => {
  expect(codes([priced(8900), priced(8500), priced(8900), priced(8000), priced(7000, 'other')])).toEqual([
    8900,
    'DUPLICATE_ID',
    8900,
    'DUPLICATE_ID',
    7000,
  ]);
});

test('of two items with one id in an append source the later is used', () => {
  expect(codes([priced(8900), priced(8500)], true)).toEqual([8900, 8500]);
});

test('an accepted item may have the id of a rejected one', () => {
  expect(codes([priced(-5), priced(8900)])).toEqual(['BAD_PRICE', 8900]);
});

test('the ids of one body do not affect the next body', () => {
  expect([codes([priced(8900)]), codes([priced(8500)])]).toEqual([[8900], [8500]]);
});

describe('a pushed page', () => {
  const item = { id: '1', title: '2012 Honda Civic', price: 5000 };
  const codesOf = (text: string) =>
    parseMarketplacePage(text, context).map((record) =>
      'facts' in record ? record.facts.externalId : record.rejection.code,
    );

  test.each([
    ['an array', JSON.stringify([item, { ...item, id: '2' }])],
    ['items', JSON.stringify({ items: [item, { ...item, id: '2' }] }, null, 2)],
    ['lines', `${JSON.stringify(item)}\n\n${JSON.stringify({ ...item, id: '2' })}\r\n`],
    ['a byte order mark', `\ufeff${JSON.stringify([item, { ...item, id: '2' }])}`],
  ])('%s', (_, text) => {
    expect(codesOf(text)).toEqual(['1', '2']);
  });

  test('one object is one item, and an empty body has no items', () => {
    expect(codesOf(JSON.stringify(item))).toEqual(['1']);
    expect([codesOf(''), codesOf('[]'), codesOf('{"items":[]}')]).toEqual([[], [], []]);
  });

  test('a malformed line is one rejected item at its position', () => {
    const lines = [JSON.stringify(item), '{"id": "2", "tit', JSON.stringify({ ...item, id: '3' }), 'null', '"x"'];
    expect(codesOf(lines.join('\n'))).toEqual(['1', 'MALFORMED', '3', 'MALFORMED', 'MALFORMED']);
  });

  test.each([
    '{',
    'not json',
    '<html>\n<body>',
    '"text"',
    '17',
    'null',
    '[{"id":1}\n,\n{}\n',
    `${'['.repeat(100_000)}`,
    '{"a":\n1,\n2',
  ])('%j is refused whole', (text) => {
    expect(() => codesOf(text)).toThrow(AppError);
    expect(() => codesOf(text)).toThrow(expect.objectContaining({ code: 'MALFORMED' }));
  });

  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

  test('an item may nest 64 levels deep, not counting brackets in texts', () => {
    const deep = (depth: number) => `{"id":"1","title":"2012 Honda Civic","a":${nested(depth - 1)}}`;
    expect([codesOf(deep(64)), codesOf(`[${deep(63)}]`)]).toEqual([['1'], ['1']]);
    expect(() => codesOf(deep(65))).toThrow(AppError);
    expect(codesOf(`[${deep(64)}]`)).toEqual(['MALFORMED']);
    expect(codesOf(JSON.stringify([{ ...item, note: `\\"${'['.repeat(500)}` }]))).toEqual(['1']);
    expect(codesOf(`${JSON.stringify(item)}\n{"id":${nested(70)}}`)).toEqual(['1', 'MALFORMED']);
  });

  test('an item that nests too deep is rejected, and the others are accepted', () => {
    const good = (id: string) => JSON.stringify({ ...item, id, note: '],[\\"' });
    const items = `[${good('1')} , {"id":"2","x":${nested(10_000)}},\n${good('3')}, 4]`;
    expect(codesOf(items)).toEqual(['1', 'MALFORMED', '3', 'MALFORMED']);
    expect(codesOf(`{ "items" : ${items} }`)).toEqual(['1', 'MALFORMED', '3', 'MALFORMED']);
    expect(codesOf(`[${good('1')},,${nested(99)}]`)).toEqual(['1', 'MALFORMED', 'MALFORMED']);
    for (const broken of [items.slice(0, -1), `${items}]`, `${items},${items}`, `[${nested(99)}`]) {
      expect(() => codesOf(broken)).toThrow(expect.objectContaining({ code: 'MALFORMED' }));
    }
  });

  test('a list between lines is read as well', () => {
    expect(codesOf(`[${JSON.stringify(item)}]\n${JSON.stringify({ ...item, id: '2' })}`)).toEqual(['1', '2']);
  });

  test('a broken item is rejected, and the others are accepted', () => {
    const good = (id: string) => JSON.stringify({ ...item, id });
    expect(codesOf(`[${good('1')}, {"id":"2" "title":"x"}, ${good('3')}]`)).toEqual(['1', 'MALFORMED', '3']);
    expect(codesOf(`{"items":[${good('1')}, {"id":"2","title":"19" wheels"}, ${good('3')}]}`)).toEqual([
      '1',
      'MALFORMED',
      '3',
    ]);
  });

  test('an item that is too large is rejected under its id', () => {
    const large = JSON.stringify({ ...item, id: 'big', text: 'x'.repeat(300_000) });
    const [first, second] = parseMarketplacePage(`[${large},${JSON.stringify(item)}]`, context);
    expect(first).toMatchObject({ rejection: { externalId: 'big', code: 'TOO_LARGE', whole: false } });
    expect(second).toMatchObject({ facts: { externalId: '1' } });
    const other = `{"listing":${large.replace('"id":"big"', '"id":12345678901234567890')}}`;
    expect(parseMarketplacePage(other, context)).toMatchObject([{ rejection: { externalId: '12345678901234567890' } }]);
  });

  test('an item with control characters is accepted', () => {
    const text = JSON.stringify([item, item]).replaceAll('Honda ', 'Honda\u0000\t');
    expect(parseMarketplacePage(text, context)).toMatchObject([
      { facts: { model: 'civic' } },
      { facts: { model: 'civic' } },
    ]);
  });

  test('an id that is a long number keeps all its digits', () => {
    const long = (id: string) => JSON.stringify(item).replace('"1"', id);
    expect(codesOf(`[${long('9007199254740993')}, ${long('9007199254740992')}]`)).toEqual([
      '9007199254740993',
      '9007199254740992',
    ]);
  });

  test('any text is parsed or rejected without an exception', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json({ maxDepth: 2 })), (text) => {
        try {
          expect(Array.isArray(codesOf(text))).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
        }
      }),
      { numRuns: 50 },
    );
  });

  test('reading in slices, between which other work runs, gives the same records', async () => {
    const text = JSON.stringify(
      Array.from({ length: 110 }, (_, n) => ({ ...item, id: `${n}`, price: n % 7 ? 9000 : '' })),
    );
    let others = 0;
    const other = () => {
      others += 1;
      waiting = setImmediate(other);
    };
    let waiting = setImmediate(other);
    const read = await parseMarketplacePageInSlices(text, context);
    clearImmediate(waiting);
    expect(others).toBeGreaterThanOrEqual(4);
    expect(read).toEqual(parseMarketplacePage(text, context));
    await expect(parseMarketplacePageInSlices('no items', context)).rejects.toMatchObject({ code: 'MALFORMED' });
  });
});

const readExample = (file: string) => parseMarketplacePage(exampleText(file), { gazetteer, now });

describe.each(marketplaceExamples)('$file', ({ file, rows }) => {
  const records = readExample(file);

  test('has an expected result for each line', () => {
    expect(records).toHaveLength(rows.length);
  });

  test.each(rows.map((row, index) => [index, row] as const))('row %i', (index, row) => {
    const record = records[index];
    if (!record) throw new Error('no record');
    if (typeof row === 'string') expect('rejection' in record && record.rejection.code).toBe(row);
    else expect('facts' in record ? record.facts : record.rejection).toMatchObject(row);
  });
});

test('the named place is used where its coordinates are far away', () => {
  const golf = readExample('listing-pages.json')[3];
  const { lat, lng } = golf && 'facts' in golf ? golf.facts : { lat: null, lng: null };
  expect(greatCircleMiles(lat ?? 0, lng ?? 0, 32.35, -95.3)).toBeLessThan(10);
});

test('a listing date in the future counts as now', () => {
  const prius = readExample('listing-pages.json')[6];
  expect(prius && 'facts' in prius && prius.facts.listedAt).toEqual(now);
});
