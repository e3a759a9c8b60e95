import { expect, test } from 'vitest';
import { gazetteer, node, now } from '../../../test/reading/marketplace-items.ts';
import { makeItemReader } from './read-piece.ts';

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
