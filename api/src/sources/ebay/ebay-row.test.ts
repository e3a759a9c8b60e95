import { expect, it } from 'vitest';
import { gazetteer } from '../../../lab/gazetteer.ts';
import { parseFeedRow } from '../vehicle-feed/parse-feed-row.ts';
import { ebayRow, itemDetails } from './ebay-row.ts';

const context = { gazetteer, now: new Date('2026-07-01T12:00:00Z') };

const item = (description: string) => ({
  itemId: 'v1|1|0',
  title: '2012 Honda Accord',
  price: { value: '6500.00', currency: 'USD' },
  buyingOptions: ['FIXED_PRICE'],
  itemLocation: { city: 'Austin', stateOrProvince: 'Texas', country: 'US' },
  description,
});

it('a description keeps its lines and the cells of its tables apart, and its facts are read', () => {
  const described = item(`<style>td { color: #222 }</style><script>var miles = 5;</script>
    <div style="${'padding: 1px; '.repeat(30)}"><h2>My Accord</h2>One owner.<br>Runs
      well<table><tr><th>Title status</th><td>Salvage</td></tr><tr><td>Mileage</td><td>98,000</td></tr>
      <tr><td>Transmission</td><td>Manual</td></tr></table><ul><li>New tires</li><li>Cold A&amp;C</li></ul></div>`);
  const details = itemDetails(described);
  expect(details.description?.split('\n')).toEqual([
    'My Accord',
    'One owner.',
    'Runs well',
    'Title status Salvage',
    'Mileage 98,000',
    'Transmission Manual',
    'New tires',
    'Cold A&C',
  ]);
  expect(parseFeedRow(ebayRow(described, details), context)).toMatchObject({
    facts: {
      titleStatus: 'salvage',
      mileageMiles: 98_000,
      transmission: 'manual',
      description: details.description,
    },
  });
});

it.each([
  ['', null],
  ['<div><style>p {}</style></div>', null],
  ['x'.repeat(20_000), 'x'.repeat(10 * 1024)],
])('the description %.40j is stored as %.40j', (html, text) => expect(itemDetails(item(html)).description).toBe(text));
