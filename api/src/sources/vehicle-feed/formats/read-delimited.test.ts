import { expect, test } from 'vitest';
import type { FeedEntry } from '../feed-row.ts';
import { type Delimiter, readDelimited } from './read-delimited.ts';

async function* inChunks(text: string, length: number): AsyncGenerator<string> {
  for (let start = 0; start < text.length; start += length) yield text.slice(start, start + length);
}

/** The rows' ids in order, `!` and the code of a rejected row; the fault that ended the read. */
async function read(
  text: string,
  { delimiter = ',' as Delimiter, length = 1 << 16, newline = '\n' as '\n' | '\r' } = {},
) {
  const seen: string[] = [];
  const entries: FeedEntry[] = [];
  let fault: string | null = null;
  try {
    for await (const entry of readDelimited(inChunks(text, length), delimiter, newline)) {
      entries.push(entry);
      seen.push('row' in entry ? String(entry.row.vehicle_id) : `!${entry.code}`);
    }
  } catch (error) {
    fault = error instanceof Error ? error.message : String(error);
  }
  return { seen, fault, rows: entries.flatMap((entry) => ('row' in entry ? [{ ...entry.row }] : [])), entries };
}

const header = 'vehicle_id,title,price,address';
const good = (id: string) => `${id},2017 Ford Fusion,18000 USD,"{city: 'Austin', region: 'TX'}"`;
const feed = (...rows: string[]) => `${[header, ...rows].join('\n')}\n`;

test.each([
  ['a quote that never closes', 'b,"2017 Ford,18000 USD,x', '!MALFORMED'],
  ['a quote that never closes, in the last cell', 'b,2017 Ford,18000 USD,"Austin', '!MALFORMED'],
  ['text after a closing quote', 'b,"2017" Ford,18000 USD,x', '!MALFORMED'],
  ['a quote within a cell', 'b,2017 Ford 20" wheels,18000 USD,x', 'b'],
  ['doubled quotes', 'b,"2017 Ford ""SE""",18000 USD,x', 'b'],
  ['a line break within quotes', 'b,"2017 Ford\nFusion",18000 USD,x', 'b'],
  ['blanks around quotes', 'b, "2017, Ford" ,18000 USD, x', 'b'],
  ['a tab before a quote', 'b,\t"2017, Ford"\t,18000 USD,x', 'b'],
  ['a tab before a quote that never closes', 'b,\t"2017 Ford,18000 USD,x', '!MALFORMED'],
  ['too few cells', 'b,2017 Ford', '!MALFORMED'],
  ['too many cells', 'b,2017 Ford,18,000 USD,x', '!MALFORMED'],
  ['blank cells too many', 'b,2017 Ford,18000 USD,x,,', 'b'],
  ['only delimiters', ',,,', 'undefined'],
  ['one odd quote alone', '"', '!MALFORMED'],
])('%s affects no other row', async (_, row, outcome) => {
  for (const length of [1, 7, 1 << 16]) {
    const { seen, fault } = await read(feed(good('a'), row, good('c'), good('d')), { length });
    expect(seen, `in chunks of ${length}`).toEqual(['a', outcome, 'c', 'd']);
    expect(fault).toBeNull();
  }
});

test('cells are read without quotes and surrounding blanks', async () => {
  const { rows } = await read(feed('b, "2017, ""Ford"" " ,18000 USD ,"{city: \'Austin\'}"', 'c,  20" wheels,,'));
  expect(rows).toEqual([
    { vehicle_id: 'b', title: '2017, "Ford"', price: '18000 USD', address: "{city: 'Austin'}" },
    { vehicle_id: 'c', title: '20" wheels' },
  ]);
});

test('a stray quote does not join the rows after it, however many have no quote', async () => {
  const rest = Array.from({ length: 20_000 }, (_, index) => `r${index},2017 Ford Fusion,18000 USD,Austin`);
  const { seen, fault } = await read(feed(good('a'), 'b,"2017 Ford,18000 USD,x', ...rest));
  expect([seen.length, seen[1], seen[2], seen.at(-1), fault]).toEqual([20_002, '!MALFORMED', 'r0', 'r19999', null]);
});

test('megabytes after a stray quote are scanned once', async () => {
  const lines = Array.from({ length: 140 }, () => `${'x'.repeat(29)}\n`.repeat(2167));
  const { seen } = await read(feed(good('a'), `b,"2017 Ford\n${lines.join('')}`), { length: 65_000 });
  expect(seen.length).toBe(303_382);
});

test('a stray quote that a later row happens to close affects only its own row', async () => {
  const { seen } = await read(feed(good('a'), 'b,"2017 Ford,18000 USD,x', 'c,", great car",18000 USD,x', good('d')));
  expect(seen).toEqual(['a', '!MALFORMED', 'c', 'd']);
});

test('a feed of nothing but broken quotes is read to an end', async () => {
  const { seen } = await read(feed(...Array.from({ length: 5000 }, () => 'b,"""",""x"",y"')));
  expect(new Set(seen)).toEqual(new Set(['!MALFORMED']));
});

test('a row above 256 KB and a cell of 5 MB are rejected as too large, and the others are accepted', async () => {
  const quoted = `b,"${'x\n'.repeat(2_500_000)}",1,y`;
  const plain = `c,${'x'.repeat(300_000)},1,y`;
  const endless = `d,${'x'.repeat(9_000_000)},1,y`;
  const { seen, fault, entries } = await read(feed(good('a'), quoted, plain, endless, good('e')));
  expect(seen).toEqual(['a', '!TOO_LARGE', '!TOO_LARGE', '!TOO_LARGE', 'e']);
  expect(fault).toBeNull();
  for (const entry of entries) if ('record' in entry) expect(entry.record.length).toBeLessThan(9000);
});

test('cells between tabs need no quotes', async () => {
  const text = feed(
    good('a').replaceAll('"', ''),
    'b,"Loaded" 2017 Ford,18000 USD,x',
    'c,"2017 Ford",1,x',
    'd,"2017 Ford,1,x',
  ).replace(/,(?! region)/g, '\t');
  const { rows, fault } = await read(text, { delimiter: '\t' });
  expect(rows.map(({ title }) => title)).toEqual(['2017 Ford Fusion', '"Loaded" 2017 Ford', '2017 Ford', '"2017 Ford']);
  expect(fault).toBeNull();
});

test.each([',', ';', '|', '\t'] as const)('cells separated by %j are read', async (delimiter) => {
  const text = ['vehicle_id,title,price', 'a,2017 Ford,1', 'b,"x, y",2'].join('\r\n').replace(/,(?! )/g, delimiter);
  const { rows } = await read(text.replace('x, y', `x${delimiter} y`), { delimiter });
  expect(rows).toEqual([
    { vehicle_id: 'a', title: '2017 Ford', price: '1' },
    { vehicle_id: 'b', title: `x${delimiter} y`, price: '2' },
  ]);
});

test('lines may end with a carriage return alone', async () => {
  const { seen, fault } = await read(feed(good('a'), good('b')).replaceAll('\n', '\r'), { newline: '\r' });
  expect([seen, fault]).toEqual([['a', 'b'], null]);
});

test.each([
  ['within a row', 'c,2017 Fo'],
  ['within quotes', 'c,"2017 Fo'],
  ['within a quoted cell of several lines', 'c,"2017 Ford\nFusi'],
])('a feed cut %s gives the rows before and then fails', async (_, tail) => {
  const { seen, fault } = await read(feed(good('a'), good('b')) + tail);
  expect(seen.slice(0, 2)).toEqual(['a', 'b']);
  expect(seen).not.toContain('c');
  expect(fault).toMatch(/ends in the middle/);
});

test('rows that were complete before a fault of the body are read', async () => {
  async function* torn() {
    yield feed(good('a'), good('b'));
    throw new Error('torn');
  }
  const seen: unknown[] = [];
  await expect(async () => {
    for await (const entry of readDelimited(torn(), ',', '\n')) seen.push('row' in entry && entry.row.vehicle_id);
  }).rejects.toThrow('torn');
  expect(seen).toEqual(['a', 'b']);
});

test('a last row without a line end is complete if it has all cells', async () => {
  expect(await read(feed(good('a')).trimEnd())).toMatchObject({ seen: ['a'], fault: null });
});

test.each([
  ['too few cells', 'b,2017 Ford', 'b'],
  ['too many cells', '"b",1,2,3,4,5', 'b'],
  ['a quote that does not close', 'b,"2017 Ford,1,x', 'b'],
  ['more than 256 KB', `b,${'x'.repeat(300_000)},1,y`, 'b'],
  ['a quote in its id', '"b"c,2017 Ford', undefined],
  ['an id that goes on', `${'b'.repeat(300_000)},1,1,1`, undefined],
])('a row with %s is still there under its id', async (_, row, id) => {
  const { entries } = await read(feed(good('a'), row, good('c')));
  expect(entries[1]).toHaveProperty('reason');
  expect(entries[1]).toMatchObject(id === undefined ? {} : { id });
  expect('id' in (entries[1] ?? {})).toBe(id !== undefined);
});

test('a first line above 256 KB is not accepted as a header', async () => {
  const names = `${header},${Array.from({ length: 60_000 }, (_, index) => `c${index}`).join(',')}`;
  for (const newline of ['\n', '\r'] as const) {
    const { seen, fault } = await read(`${names}\n${good('a')}\n`, { newline });
    expect([seen, fault]).toEqual([[], 'The first line is larger than 256 KB.']);
  }
});

test('a header alone is a complete feed without rows', async () => {
  expect(await read(`${header}\n`)).toMatchObject({ seen: [], fault: null });
  expect(await read(header)).toMatchObject({ seen: [], fault: null });
});

test('of columns with the same name the first one with a value is used', async () => {
  const { rows } = await read('vehicle_id,title,title,__proto__\na,,2017 Ford,x\nb,2018 Ford,2017 Ford,y\n');
  expect(rows.map(({ title }) => title)).toEqual(['2017 Ford', '2018 Ford']);
  expect(({} as Record<string, unknown>).x).toBeUndefined();
});

test.each([
  ['a,2017 Ford Fusion,18000 USD', /names no column vehicle_id/],
  ['title,price\nx,1', /names no column vehicle_id, but title, price/],
  ['\u0000\u0001PNG', /names no column/],
])('the feed %j is refused, as it has no header', async (text, reason) => {
  expect((await read(`${text}\n`)).fault).toMatch(reason);
});
