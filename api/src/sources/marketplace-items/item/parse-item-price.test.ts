import { describe, expect, test } from 'vitest';
import { factsOf, node, rejectionOf } from '../../../../test/reading/marketplace-items.ts';

const { listing_price: _, formatted_price: __, ...unpriced } = node;
const priceOf = (fields: Record<string, unknown>) => factsOf({ ...unpriced, ...fields }).price;

describe('one field in every encoding', () => {
  test.each<[unknown, number | null]>([
    [{ amount_with_offset: '1260000', currency: 'USD', amount: '12600.00' }, 12_600],
    [{ amount_with_offset_in_currency: '1260000' }, 12_600],
    [{ amount_with_offset_in_currency: 1_260_049 }, 12_600],
    [{ amount_with_offset: '1260000', offset: 100, currency: 'USD' }, 12_600],
    [{ amount_in_cents: 1_260_000 }, 12_600],
    [{ formatted_amount: '$12,600' }, 12_600],
    [{ text: '$12,600' }, 12_600],
    [{ amount: '2000', currency: 'USD' }, 2000],
    [{ amount: 2000, currency: '$' }, 2000],
    [{ value: '2,000.00', currencyCode: 'usd' }, 2000],
    [{ price: { amount: '2000' } }, 2000],
    [{ min: 4500, max: 5000 }, 4500],
    [{ minPrice: '4500', maxPrice: '5000', priceCurrency: 'USD' }, 4500],
    [['$4,500'], 4500],
    [[{ amount: '5000' }, { amount: '4500' }], 4500],
    ['$4,500', 4500],
    ['4500', 4500],
    ['4.500,00', 4500],
    ['$4.500', 4500],
    ['4 500 $', 4500],
    ['USD 4,500.00', 4500],
    ['US$4500', 4500],
    ['4500 USD', 4500],
    ['$4.5k', 4500],
    ['$4,500 OBO', 4500],
    ['$4,500 - $5,000', 4500],
    ['$4500.50', 4501],
    ['4.5e3', 4500],
    ['＄４５００', 4500],
    [3900, 3900],
    [3900.4, 3900],
  ])('%j is %s', (listing_price, price) => {
    expect(priceOf({ listing_price })).toBe(price);
    expect(priceOf({ price: listing_price })).toBe(price);
  });
});

describe('not stated', () => {
  test.each<[unknown]>([
    [{ amount_with_offset: '669500', currency: 'EUR', amount: '6695.00' }],
    [{ formatted_amount: '€6,695', amount_with_offset_in_currency: '669500' }],
    [{ amount: 5000, priceCurrency: 'CAD' }],
    ['5000 €'],
    ['C$5,000'],
    ['5000 mxn'],
    [{ amount: '0', formatted_amount: 'Free' }],
    [{ formatted_amount: 'Free' }],
    [0],
    ['0'],
    ['Free'],
    ['Call for price'],
    ['Contact seller'],
    ['N/A'],
    ['Best offer'],
    ['---'],
    [' '],
    [1],
    [{ amount: '1234.00' }],
    [{ amount: '12345' }],
    [111_111],
    [999_999_999],
    [null],
    [[]],
    [{}],
    [{ amount: null, currency: null }],
    [true],
  ])('%j', (listing_price) => {
    expect(priceOf({ listing_price })).toBeNull();
  });

  test('a currency beside the price', () => {
    expect(priceOf({ price: 5000, currency: 'EUR' })).toBeNull();
    expect(priceOf({ price: 5000, currency: 'USD' })).toBe(5000);
    expect(priceOf({ price: 5000, formatted_price: { text: '5.000 €' } })).toBeNull();
  });

  test('a down payment and a monthly rate', () => {
    const title = { marketplace_listing_title: '2014 Subaru Outback $1500 down' };
    expect(priceOf({ ...title, price: 1500 })).toBeNull();
    expect(priceOf({ ...title, price: 13_900 })).toBe(13_900);
    expect(priceOf({ price: 500, redacted_description: { text: 'Price is down payment' } })).toBeNull();
    expect(priceOf({ price: 500, description: 'enganche' })).toBeNull();
    expect(priceOf({ price: { price: 340, unitText: 'MONTH' } })).toBeNull();
    expect(priceOf({ price: 500, description: 'Runs' })).toBe(500);
  });
});

describe('several prices', () => {
  test.each<[Record<string, unknown>, number | null]>([
    [{ listing_price: { amount: '8900' }, sale_price: { amount: '7000' } }, 7000],
    [{ listing_price: { amount: '7000' }, sale_price: { amount: '8900' } }, 7000],
    [{ price: 'Call', sale_price: '$7,000' }, 7000],
    [{ price: 8900, sale_price: 1 }, 8900],
    [{ price: 8900, sale_price: '6000 EUR' }, 8900],
    [{ price: '8900 EUR', sale_price: 6000 }, null],
    [{ price: 8900, discountedPrice: -1 }, 8900],
    [{ price: 8900, strikethrough_price: { amount: '9900' } }, 8900],
    [{ price: 8900, strikethrough_price: { amount: '7900' } }, 8900],
    [{ price: 8900, previous_price: 7900, initial_price: 7800, original_price: 7700 }, 8900],
    [{ listing_price: { amount: '0' }, strikethrough_price: { amount: '9900' } }, null],
    [{ listing_price: null, formatted_price: { text: '$8,900' } }, 8900],
    [{ listing_price: null, min_listing_price: { amount: '8900' }, max_listing_price: { amount: '9900' } }, 8900],
    [{ final_price: 8900, initial_price: 9900 }, 8900],
    [{ price_in_cents: 890_000 }, 8900],
    [{ offers: { price: '8900', priceCurrency: 'USD' } }, 8900],
    [{ offers: [{ price: 9900 }, { price: '8,900.00', priceCurrency: 'USD' }] }, 8900],
    [
      {
        offers: [
          { price: 7000, priceCurrency: 'EUR' },
          { price: 8900, priceCurrency: 'USD' },
        ],
      },
      8900,
    ],
    [{ offers: { '@type': 'AggregateOffer', lowPrice: 8900, highPrice: 9900, priceCurrency: 'USD' } }, 8900],
    [{ offers: { priceSpecification: [{ price: 9900 }, { price: 8900, priceCurrency: 'USD' }] } }, 8900],
    [{ offers: { name: 'Offer 2015', availability: 'InStock' } }, null],
  ])('%j is %s', (fields, price) => {
    expect(priceOf(fields)).toBe(price);
  });
});

test.each<[unknown]>([
  [-5],
  ['-5'],
  ['-$300'],
  ['$-300'],
  [{ amount: '-300' }],
  [{ amount_with_offset_in_currency: '-30000' }],
  [{ amount_with_offset_in_currency: '987654321000' }],
  [20_000_000],
  [1e300],
  ['1e300'],
  ['1e9999'],
  ['NaN'],
  ['Infinity'],
  ['abc'],
  ['<b>cheap</b>'],
])('%j is BAD_PRICE', (listing_price) => {
  expect(rejectionOf({ ...unpriced, listing_price })).toMatchObject({ code: 'BAD_PRICE', externalId: node.id });
});
