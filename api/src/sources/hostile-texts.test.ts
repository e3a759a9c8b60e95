import { describe, expect, test } from 'vitest';
import { bareHostileText, type HostileKind, hostileKinds, hostileText } from '../../test/reading/hostile-texts.ts';
import { camelCase, gazetteer, nested, node, now, page } from '../../test/reading/marketplace-items.ts';
import type { ParsedRecord } from '../domain/facts/listing-facts.ts';
import { parseMarketplacePage } from './marketplace-items/read-marketplace-items.ts';
import { readVehicleFeed } from './vehicle-feed/read-feed.ts';

const context = { gazetteer, now };
const MAX_MS = 50;
/** The kind of each run; as each takes two seconds, the others only run with all tests. */
const daily: { items: HostileKind; feeds: HostileKind } = { items: 'spaces', feeds: 'words and points' };

const cpuMs = (since: NodeJS.CpuUsage) => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
};

/** The least time of several reads, as other work of the process is not the record's fault. */
async function costOf(read: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 10 && least > MAX_MS; attempt++) {
    const start = process.cpuUsage();
    await read();
    least = Math.min(least, cpuMs(start));
  }
  return least;
}

interface Reading {
  records: ParsedRecord[];
  ms: number;
}

async function measured(read: () => ParsedRecord[] | Promise<ParsedRecord[]>): Promise<Reading> {
  let records: ParsedRecord[] = [];
  const ms = await costOf(async () => {
    records = await read();
  });
  return { records, ms };
}

/** Expects that the records before and after the hostile one are accepted. */
function expectGood({ records, ms }: Reading, what: string): void {
  expect([what, ms > MAX_MS ? `${Math.round(ms)} ms` : 'quick']).toEqual([what, 'quick']);
  const ids = records.map((record) => ('facts' in record ? record.facts.externalId : null));
  expect([what, ids.at(0), ids.at(-1), ids.length]).toEqual([what, 'before', 'behind', 3]);
  const reasons = records.flatMap((record) => ('rejection' in record ? record.rejection.reason : []));
  expect(reasons.filter((reason) => reason.includes('could not read it'))).toEqual([]);
}

type Raw = Record<string, unknown>;

const pushed = (item: Raw) => {
  const good = (id: string) => ({ ...node, id });
  const text = JSON.stringify([good('before'), item, good('behind')]);
  return measured(() => parseMarketplacePage(text, context));
};

/** Every field that the reader of items knows, without the names of the objects around them. */
const itemFields =
  'id title name marketplace_listing_title price listing_price final_price sale_price formatted_price currency price_in_cents offers ' +
  'mileage vehicle_mileage odometer miles kilometers mileage_unit vehicle_odometer_data subtitle custom_sub_titles_with_rendering_flags ' +
  'make vehicle_make brand model vehicle_model year vehicle_model_date category categories product_type @type body_style ' +
  'payment_time_period business_function vehicle_transmission_type vehicle_exterior_color color condition vehicle_condition ' +
  'location location_text city state zip address country latitude longitude coordinates geo images listing_photos primary_photo ' +
  'url link creation_time timestamp availability status description redacted_description seller listing attributes note';
const itemShapes: [string, (text: string) => unknown][] = [
  ['as text', (text) => text],
  ['in an object', (text) => ({ text, value: text.slice(0, 100_000), unit: 'KMT', city: text.slice(0, 9) })],
  ['in a list', (text) => [text]],
];

describe.each(hostileKinds)('250,000 bytes of %s', (kind) => {
  const text = hostileText(kind);
  const bare = bareHostileText(kind);

  test('in any field of an item', { tags: kind === daily.items ? [] : ['long'] }, async () => {
    for (const field of itemFields.split(' ')) {
      const [shape, made] = itemShapes[field.length % itemShapes.length] ?? ['', (one: string) => one];
      const { [field as 'id']: _, ...rest } = page;
      expectGood(await pushed({ ...rest, [field]: text }), field);
      expectGood(await pushed({ ...page, [field]: made(bare) }), `${field} ${shape}`);
    }
  });

  test('in any column of a feed', { tags: kind === daily.feeds ? [] : ['long'] }, async () => {
    for (const column of feedColumns) {
      for (const format of ['csv', 'tsv', 'xml'] as const) {
        expectGood(await fed(format, column, column.length % 2 ? text : bare), `${column} in ${format}`);
      }
    }
  });

  test('after the beginning of a title, which is read', async () => {
    const title = `2014 Subaru Outback 2.5i ${text}`;
    for (const item of [
      { ...node, marketplace_listing_title: title },
      { ...camelCase, listingTitle: title },
      { ...nested, marketplace_listing_title: title },
    ]) {
      const { records, ms } = await pushed(item);
      expect([kind, Math.max(ms, MAX_MS)]).toEqual([kind, MAX_MS]);
      const [, record] = records;
      const read = record && 'facts' in record ? record.facts : null;
      // A control character is six in JSON, and the item larger than 256 KB.
      if (JSON.stringify(item).length <= 256 * 1024) {
        expect([read?.make, read?.year]).toEqual(['subaru', 2014]);
        expect(read?.title.length).toBeLessThanOrEqual(500);
      }
    }
  });
});

const feedRow: Raw = {
  vehicle_id: 'one',
  title: '2015 Toyota Camry LE',
  description: 'Runs and drives great',
  make: 'Toyota',
  model: 'Camry',
  year: '2015',
  trim: 'LE',
  'mileage.value': '50000',
  'mileage.unit': 'MI',
  price: '9000 USD',
  sale_price: '8500 USD',
  currency: 'USD',
  url: 'https://dealer.example/1',
  image: 'https://dealer.example/1.jpg',
  'image[1].url': 'https://dealer.example/2.jpg',
  address: '550 Auto Center Dr, Watsonville, CA 96075, US',
  neighborhood: 'Freedom',
  latitude: '36.9',
  longitude: '-121.7',
  state_of_vehicle: 'USED',
  condition: 'GOOD',
  exterior_color: 'White',
  transmission: 'AUTOMATIC',
  vin: '1FADP5AU6DL536022',
  availability: 'available',
  date_first_on_lot: '2026-05-01',
  days_on_lot: '12',
  vehicle_type: 'CAR_TRUCK',
  body_style: 'SEDAN',
  note: 'none',
};
const feedColumns = Object.keys(feedRow);

const rowsOf = (column: string, text: string): Raw[] => [
  { ...feedRow, vehicle_id: 'before' },
  { ...feedRow, [column]: text },
  { ...feedRow, vehicle_id: 'behind' },
];

const writers = {
  csv: (rows: Raw[]) =>
    [feedColumns.join(',')]
      .concat(rows.map((row) => feedColumns.map((name) => `"${String(row[name]).replaceAll('"', '""')}"`).join(',')))
      .join('\n'),
  tsv: (rows: Raw[]) =>
    [feedColumns.join('\t')]
      .concat(rows.map((row) => feedColumns.map((name) => String(row[name]).replaceAll(/[\t\r\n]/g, ' ')).join('\t')))
      .join('\n'),
  xml: (rows: Raw[]) => {
    const escaped = (value: unknown) => String(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    const element = (name: string) => name.replaceAll(/[[\]]/g, '_');
    const cells = (row: Raw) =>
      feedColumns.map((name) => `<${element(name)}>${escaped(row[name])}</${element(name)}>`).join('');
    return `<listings>${rows.map((row) => `<listing>${cells(row)}</listing>`).join('')}</listings>`;
  },
};

function fed(format: keyof typeof writers, column: string, text: string): Promise<Reading> {
  const body = writers[format](rowsOf(column, text));
  async function* chunks() {
    for (let start = 0; start < body.length; start += 1 << 16) yield body.slice(start, start + (1 << 16));
  }
  return measured(async () => {
    const records: ParsedRecord[] = [];
    const source = { text: chunks, contentType: null, name: `feed.${format}` };
    for await (const record of readVehicleFeed(source, context)) records.push(record);
    return records;
  });
}

describe('a record of very many parts', () => {
  const names = (make: (index: number) => string) =>
    Object.fromEntries(Array.from({ length: 12_000 }, (_, index) => [make(index), 'https://a.example/1.jpg']));

  test.each<[string, Raw]>([
    ['fields', names((index) => `note ${index}`)],
    ['names of photos', names((index) => `${' '.repeat(index % 90)}n${index}:image`)],
    ['photos by number', names((index) => `image[${index}].url`)],
    ['a name as long as the record', { ...page, ['a-'.repeat(120_000)]: 1, ['_ '.repeat(1000)]: 2 }],
    ['subtitles', { ...page, subtitles: Array.from({ length: 20_000 }, () => '120K mi') }],
    ['categories', { ...page, category: Array.from({ length: 2000 }, (_, index) => `${'a b '.repeat(25)}${index}`) }],
    [
      'offers',
      { ...page, listing_price: null, offers: Array.from({ length: 6000 }, () => ({ price: 'x'.repeat(20) })) },
    ],
    ['attributes', { ...page, attributes: Array.from({ length: 6000 }, () => ({ name: 'Make', value: 'Ford' })) }],
    ['cars', { '@graph': Array.from({ length: 6000 }, () => ({ '@type': 'Car', name: '2014 Ford F-150' })) }],
    ['offers of offers', { makesOffer: Array.from({ length: 3000 }, () => ({ itemOffered: [{ itemOffered: {} }] })) }],
  ])('%s', async (what, item) => {
    expectGood(await pushed(item), what);
    expectGood(await pushed({ vehicle_id: 'v', ...item }), `${what} of a feed's row`);
  });
});
