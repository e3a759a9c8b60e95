import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError } from '../../base/errors.ts';
import { makeGazetteer } from '../../domain/places/places.ts';
import { parseItemsBody } from './parse-items-body.ts';
import { parseMarketplacePage } from './parse-page.ts';

const car = { id: '1', title: '2012 Honda Civic', price: 5000 };
const context = { gazetteer: makeGazetteer('header\n', 'header\n'), now: new Date('2026-06-01T00:00:00Z') };
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
  expect(() => parseItemsBody(text)).toThrow(AppError);
  expect(() => parseItemsBody(text)).toThrow(expect.objectContaining({ code: 'MALFORMED' }));
});

test('it nests 64 deep and no deeper; brackets in text do not count', () => {
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
  expect(parseItemsBody(nested(64)).items).toHaveLength(1);
  expect(() => parseItemsBody(nested(65))).toThrow(AppError);
  expect(codes(JSON.stringify([{ ...car, note: `\\"${'['.repeat(500)}` }]))).toEqual(['1']);
  expect(codes(`${JSON.stringify(car)}\n{"id":${nested(70)}}`)).toEqual(['1', 'MALFORMED']);
});

test('any text is read or refused', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json({ maxDepth: 2 })), (text) => {
      try {
        expect(Array.isArray(parseItemsBody(text).items)).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(AppError);
      }
    }),
    { numRuns: 50 },
  );
}, 30_000);
