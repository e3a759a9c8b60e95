import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError } from '../../base/errors.ts';
import { makeGazetteer } from '../../domain/places/places.ts';
import { parseMarketplacePage, parseMarketplacePageInTurns } from './read-marketplace-items.ts';

const car = { id: '1', title: '2012 Honda Civic', price: 5000 };
const context = {
  gazetteer: makeGazetteer(),
  now: new Date('2026-06-01T00:00:00Z'),
};
const codes = (text: string) =>
  parseMarketplacePage(text, context).map((record) =>
    'facts' in record ? record.facts.externalId : record.rejection.code,
  );

test.each([
  ['an array', JSON.stringify([car, { ...car, id: '2' }])],
  ['items', JSON.stringify({ items: [car, { ...car, id: '2' }] }, null, 2)],
  ['lines', `${JSON.stringify(car)}\n\n${JSON.stringify({ ...car, id: '2' })}\r\n`],
  ['a byte order mark', `\ufeff${JSON.stringify([car, { ...car, id: '2' }])}`],
])('%s', (_, text) => {
  expect(codes(text)).toEqual(['1', '2']);
});

test('one object is one item, nothing is none', () => {
  expect(codes(JSON.stringify(car))).toEqual(['1']);
  expect([codes(''), codes('[]'), codes('{"items":[]}')]).toEqual([[], [], []]);
});

test('a bad line is one rejected item in its place', () => {
  const lines = [JSON.stringify(car), '{"id": "2", "tit', JSON.stringify({ ...car, id: '3' }), 'null', '"x"'];
  expect(codes(lines.join('\n'))).toEqual(['1', 'MALFORMED', '3', 'MALFORMED', 'MALFORMED']);
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
  expect(() => codes(text)).toThrow(AppError);
  expect(() => codes(text)).toThrow(expect.objectContaining({ code: 'MALFORMED' }));
});

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

test('it nests 64 deep and no deeper; brackets in text do not count', () => {
  const deep = (depth: number) => `{"id":"1","title":"2012 Honda Civic","a":${nested(depth - 1)}}`;
  expect([codes(deep(64)), codes(`[${deep(63)}]`)]).toEqual([['1'], ['1']]);
  expect(() => codes(deep(65))).toThrow(AppError);
  expect(codes(`[${deep(64)}]`)).toEqual(['MALFORMED']);
  expect(codes(JSON.stringify([{ ...car, note: `\\"${'['.repeat(500)}` }]))).toEqual(['1']);
  expect(codes(`${JSON.stringify(car)}\n{"id":${nested(70)}}`)).toEqual(['1', 'MALFORMED']);
});

test('an item that nests too deep is rejected alone', () => {
  const good = (id: string) => JSON.stringify({ ...car, id, note: '],[\\"' });
  const items = `[${good('1')} , {"id":"2","x":${nested(10_000)}},\n${good('3')}, 4]`;
  expect(codes(items)).toEqual(['1', 'MALFORMED', '3', 'MALFORMED']);
  expect(codes(`{ "items" : ${items} }`)).toEqual(['1', 'MALFORMED', '3', 'MALFORMED']);
  expect(codes(`[${good('1')},,${nested(99)}]`)).toEqual(['1', 'MALFORMED', 'MALFORMED']);
  for (const broken of [items.slice(0, -1), `${items}]`, `${items},${items}`, `[${nested(99)}`]) {
    expect(() => codes(broken)).toThrow(expect.objectContaining({ code: 'MALFORMED' }));
  }
});

test('a list among lines is read too', () => {
  expect(codes(`[${JSON.stringify(car)}]\n${JSON.stringify({ ...car, id: '2' })}`)).toEqual(['1', '2']);
});

test('a broken item is rejected alone', () => {
  const good = (id: string) => JSON.stringify({ ...car, id });
  expect(codes(`[${good('1')}, {"id":"2" "title":"x"}, ${good('3')}]`)).toEqual(['1', 'MALFORMED', '3']);
  expect(codes(`{"items":[${good('1')}, {"id":"2","title":"19" wheels"}, ${good('3')}]}`)).toEqual([
    '1',
    'MALFORMED',
    '3',
  ]);
});

test('an item that is too large is rejected by its id', () => {
  const large = JSON.stringify({ ...car, id: 'big', text: 'x'.repeat(300_000) });
  const [first, second] = parseMarketplacePage(`[${large},${JSON.stringify(car)}]`, context);
  expect(first).toMatchObject({ rejection: { externalId: 'big', code: 'TOO_LARGE', whole: false } });
  expect(second).toMatchObject({ facts: { externalId: '1' } });
  const other = `{"listing":${large.replace('"id":"big"', '"id":12345678901234567890')}}`;
  expect(parseMarketplacePage(other, context)).toMatchObject([{ rejection: { externalId: '12345678901234567890' } }]);
});

test('control characters do not keep an item from being read', () => {
  const text = JSON.stringify([car, car]).replaceAll('Honda ', 'Honda\u0000\t');
  expect(parseMarketplacePage(text, context)).toMatchObject([
    { facts: { model: 'civic' } },
    { facts: { model: 'civic' } },
  ]);
});

test('an id that is a long number keeps its digits', () => {
  const long = (id: string) => JSON.stringify(car).replace('"1"', id);
  expect(codes(`[${long('9007199254740993')}, ${long('9007199254740992')}]`)).toEqual([
    '9007199254740993',
    '9007199254740992',
  ]);
});

test('any text is read or refused', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json({ maxDepth: 2 })), (text) => {
      try {
        expect(Array.isArray(codes(text))).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(AppError);
      }
    }),
    { numRuns: 50 },
  );
});

test('reads the same in turns, between which others come to theirs', async () => {
  const text = JSON.stringify(
    Array.from({ length: 110 }, (_, n) => ({ ...car, id: `${n}`, price: n % 7 ? 9000 : '' })),
  );
  let others = 0;
  const other = () => {
    others += 1;
    waiting = setImmediate(other);
  };
  let waiting = setImmediate(other);
  const read = await parseMarketplacePageInTurns(text, context);
  clearImmediate(waiting);
  expect(others).toBeGreaterThanOrEqual(4);
  expect(read).toEqual(parseMarketplacePage(text, context));
  await expect(parseMarketplacePageInTurns('no items', context)).rejects.toMatchObject({ code: 'MALFORMED' });
});
