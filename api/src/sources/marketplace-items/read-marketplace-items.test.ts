import { expect, it, test } from 'vitest';
import { gazetteer, node, now } from '../../../test/reading/marketplace-items.ts';
import { makeItemReader, readMarketplaceItems } from './read-marketplace-items.ts';

const context = { gazetteer, now: new Date('2026-06-01T00:00:00Z') };
const car = (id: string) => JSON.stringify({ id, title: '2012 Honda Civic', price: 5000 });

/** Ids and codes as they come out, and the message of the error that ends it. */
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
])('%s is no list', async (_, text) => {
  expect(await read(text)).toEqual({ seen: [], error: 'The page holds no items.' });
});

it('ends where a thousand in a row are no JSON', async () => {
  const { seen, error } = await read(`${car('1')}\n${'x\n'.repeat(5000)}${car('2')}`, { size: 1000 });
  expect(error).toMatch(/no items/);
  expect(seen.length).toBeLessThanOrEqual(1001);
});

it('ends where a thousand stand before the first object, and remembers no more of them', async () => {
  let given = 0;
  const numbers = async function* () {
    for (yield '['; given < 1000; given++) yield '1,'.repeat(1000);
    yield `${car('1')}]`;
  };
  const reading = readMarketplaceItems({ text: numbers, contentType: null, name: 'x' }, context);
  await expect(reading.next()).rejects.toThrow(/no items/);
  expect(given).toBeLessThan(10);
});

it('ends after a million', { tags: 'long' }, async () => {
  const { seen, error } = await read(`[${car('1')}${',{}'.repeat(1_000_100)}]`, { size: 1 << 16 });
  expect([seen.length, error]).toEqual([1_000_000, 'The page has more than 1,000,000 items.']);
});

it('hands out all that is whole before it breaks off, and then says so', async () => {
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

const codes = (raws: unknown[], laterCounts = false) => {
  const read = makeItemReader({ gazetteer, now, laterCounts });
  return raws.map((raw) => {
    const record = read(raw);
    return 'facts' in record ? record.facts.price : record.rejection.code;
  });
};
const priced = (price: number, id = node.id) => ({ ...node, id, formatted_price: null, listing_price: price });

test('an id that stands twice with the same facts is one listing', () => {
  expect(codes([priced(8900), { ...priced(8900), cursor: 2 }, { listing: priced(8900) }])).toEqual([8900, 8900, 8900]);
});

test('of an id that stands twice with other facts the first counts', () => {
  expect(codes([priced(8900), priced(8500), priced(8900), priced(8000), priced(7000, 'other')])).toEqual([
    8900,
    'DUPLICATE_ID',
    8900,
    'DUPLICATE_ID',
    7000,
  ]);
});

test('in a list that is appended to the later one is the newer one', () => {
  expect(codes([priced(8900), priced(8500)], true)).toEqual([8900, 8500]);
});

test('what was refused takes no id', () => {
  expect(codes([priced(-5), priced(8900)])).toEqual(['BAD_PRICE', 8900]);
});

test('each body begins anew', () => {
  expect([codes([priced(8900)]), codes([priced(8500)])]).toEqual([[8900], [8500]]);
});
