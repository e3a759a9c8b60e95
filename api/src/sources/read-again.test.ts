import { describe, expect, test } from 'vitest';
import { gazetteer, node, now } from '../../test/reading/marketplace-items.ts';
import { parseMarketplacePage } from './marketplace-items/read-marketplace-items.ts';
import { readAgain } from './read-again.ts';
import { parseFeedRow } from './vehicle-feed/parse-feed-row.ts';

const context = { gazetteer, now };
const row = {
  ...{ vehicle_id: 'v-1', title: '2017 Ford Escape SE', make: 'Ford', model: 'Escape', year: '2017' },
  ...{
    'mileage.value': '50000',
    'mileage.unit': 'MI',
    price: '11500 USD',
    body_style: 'SUV',
    state_of_vehicle: 'USED',
  },
  ...{ address: '{addr1: "1 Main St", city: "Dayton", region: "OH", country: "US"}', exterior_color: 'red' },
};
const yugo = { ...node, marketplace_listing_title: '1988 Yugo GV' };
const outcome = (record: ReturnType<typeof readAgain>) =>
  record && ('facts' in record ? record.facts.externalId : record.rejection.code);

describe('a single stored record', () => {
  test.each([
    ['an item', 'items', JSON.stringify(node), node.id],
    ['an item under `listing`', 'items', JSON.stringify({ listing: node }), node.id],
    ['an item still not known', 'items', JSON.stringify(yugo), 'UNKNOWN_MAKE'],
    ['a list as an item', 'items', JSON.stringify([node]), 'MALFORMED'],
    ['a line that holds two', 'items', `${JSON.stringify(node)},${JSON.stringify(node)}`, null],
    ['a broken line', 'items', '{"id": 1,', null],
    ['nothing', 'items', '', null],
    ['a row', 'feed', JSON.stringify(row), 'v-1'],
    ['a row without an id', 'feed', JSON.stringify({ ...row, vehicle_id: '' }), 'NO_ID'],
    ['a broken row', 'feed', 'v-1;"2017 Ford', null],
    ['a number', 'feed', '7', null],
  ] as const)('%s', (_name, reader, record, expected) => {
    expect(outcome(readAgain(reader, record, context))).toBe(expected);
  });
});

test('a rejected record that is parsed again is rejected for the same reason', () => {
  const records = [
    ...parseMarketplacePage(JSON.stringify([yugo, { id: 5 }, null, 'a car', { ...node, id: '' }]), context),
    ...[1, -1].flatMap((sign) =>
      parseMarketplacePage(`[{"id": "${sign}e", "title": "2017 Ford Escape", "price": ${sign}e999}]`, context),
    ),
    parseFeedRow({ ...row, make: 'Yugo', title: '1988 Yugo GV', model: 'GV' }, context),
    parseFeedRow({ ...row, price: '-5 USD' }, context),
  ];
  for (const record of records) {
    if (!('rejection' in record)) throw new Error(`taken: ${record.facts.title}`);
    const { reader = 'items', code } = record.rejection;
    expect(outcome(readAgain(reader, record.rejection.record, context))).toBe(code);
  }
});
