import { describe, expect, test } from 'vitest';
import { exampleText, marketplaceExamples } from '../../../test/reading/marketplace-examples.ts';
import { gazetteer, now } from '../../../test/reading/marketplace-items.ts';
import { greatCircleMiles } from '../../domain/places/place.ts';
import { parseMarketplacePage } from './read-marketplace-items.ts';

const read = (file: string) => parseMarketplacePage(exampleText(file), { gazetteer, now });

describe.each(marketplaceExamples)('$file', ({ file, rows }) => {
  const records = read(file);

  test('has a line for each row', () => {
    expect(records).toHaveLength(rows.length);
  });

  test.each(rows.map((row, index) => [index, row] as const))('row %i', (index, row) => {
    const record = records[index];
    if (!record) throw new Error('no record');
    if (typeof row === 'string') expect('rejection' in record && record.rejection.code).toBe(row);
    else expect('facts' in record ? record.facts : record.rejection).toMatchObject(row);
  });
});

test('coordinates far from the named place lose to it', () => {
  const golf = read('listing-pages.json')[3];
  const { lat, lng } = golf && 'facts' in golf ? golf.facts : { lat: null, lng: null };
  expect(greatCircleMiles(lat ?? 0, lng ?? 0, 32.35, -95.3)).toBeLessThan(10);
});

test('a listing of the future counts as seen now', () => {
  const prius = read('listing-pages.json')[6];
  expect(prius && 'facts' in prius && prius.facts.listedAt).toEqual(now);
});
