import { beforeEach, describe, expect, it } from 'vitest';
import { type Browser, makeBrowser } from '../../../test/browser.ts';
import { setUpApi } from '../../../test/make-app.ts';
import { ListingStatus, rejected } from '../../domain/facts/listing-facts.ts';
import { storeListings } from '../../intake/store-listings.ts';

let admin: Browser;
let buyer: Browser;
const api = setUpApi({}, async () => {
  ({ browser: buyer } = await api.user('ana'));
  admin = await api.admin();
});
beforeEach(async () => {
  await api.db.pool.query(
    'truncate quarantine, listings, listings_to_match, sources, source_hours, source_lags restart identity',
  );
  await api.db.pool.query(
    `insert into sources (name, kind, settings, next_poll_at)
     values ('lot', 'push', '{}', 'infinity'), ('yard', 'marketplace-items', '{"everySeconds": 30}', now())`,
  );
});

const item = (id: string) => ({
  id,
  marketplace_listing_title: '2017 Ford Escape SE',
  listing_price: { amount: '11500.00', currency: 'USD' },
  location: { reverse_geocode: { city: 'Dayton', state: 'OH' } },
  is_live: true,
});
const quarantineRecords = (source: string, code: 'UNKNOWN_MAKE' | 'NO_ID', ...records: unknown[]) =>
  storeListings(
    api.db.pool,
    source,
    records.map((record) => rejected('items', null, code, 'Not known yet.', JSON.stringify(record))),
    { announce: true },
  );
const ids = async (args = '') => {
  const { data } = await admin.gql(`{ quarantine${args} { nodes { id } } }`);
  return data.quarantine.nodes.map(({ id }: { id: string }) => id);
};

describe.each([
  ['the health of sources', '{ sourceHealth { name } }'],
  ['the quarantine', '{ quarantine { total } }'],
  ['a retry', 'mutation { retryQuarantined { tried } }'],
  ['dismissal', 'mutation { dismissQuarantined(source: "lot") }'],
])('%s', (_name, query) => {
  it('is for the admin only', async () => {
    await quarantineRecords('lot', 'UNKNOWN_MAKE', item('1'));
    const codeFor = async (browser: Browser) => (await browser.gql(query)).errors[0]?.extensions.code;
    expect(await codeFor(makeBrowser(api.url))).toBe('UNAUTHENTICATED');
    expect(await codeFor(buyer)).toBe('FORBIDDEN');
    expect((await api.db.pool.query('select id from quarantine')).rowCount).toBe(1);
    expect(await codeFor(admin)).toBeUndefined();
  });
});

describe('the quarantine', () => {
  it('lists quarantined records in pages, with their count', async () => {
    await quarantineRecords('lot', 'UNKNOWN_MAKE', item('1'), item('2'), item('3'));
    await quarantineRecords('yard', 'NO_ID', { no: 'id' });
    await quarantineRecords('yard', 'NO_ID', { no: 'id' });
    const query =
      'query ($after: String) { quarantine(first: 3, after: $after) { nodes { id } endCursor hasMore total } }';
    const { data } = await admin.gql(query);
    expect(data.quarantine).toMatchObject({ nodes: [{}, {}, {}], endCursor: '2', hasMore: true, total: 4 });
    const last = (await admin.gql(query, { after: data.quarantine.endCursor })).data.quarantine;
    expect(last).toEqual({ nodes: [{ id: '1' }], endCursor: '1', hasMore: false, total: 4 });
    expect(await ids('(source: "lot", code: "NO_ID")')).toEqual([]);
    expect(await ids('(source: "yard")')).toEqual(['4']);
    const { nodes } = (
      await admin.gql('{ quarantine(code: "NO_ID") { nodes { source reason record whole retryable reader times } } }')
    ).data.quarantine;
    expect(nodes).toEqual([
      {
        ...{ source: 'yard', reason: 'Not known yet.', record: '{"no":"id"}' },
        ...{ whole: true, retryable: true, reader: 'items', times: 2 },
      },
    ]);
  });

  it('reads records again with the current parsers', async () => {
    await quarantineRecords('lot', 'UNKNOWN_MAKE', item('1'), {
      ...item('2'),
      marketplace_listing_title: '2017 Yugo GV',
    });
    const { data, errors } = await admin.gql(
      'mutation { retryQuarantined(source: "lot") { tried accepted updated unchanged newer rejected endCursor } }',
    );
    expect(errors).toEqual([]);
    expect(data.retryQuarantined).toEqual({
      ...{ tried: 2, accepted: 1, updated: 0, unchanged: 0, newer: 0, rejected: 1, endCursor: null },
    });
    expect(await api.db.rows('select source, external_id, make, city from listings')).toEqual([
      { source: 'lot', external_id: '1', make: 'ford', city: 'Dayton' },
    ]);
    expect(
      (await admin.gql('{ quarantine { nodes { retriedAt } } }')).data.quarantine.nodes[0].retriedAt,
    ).not.toBeNull();
  });

  it('retries and dismisses only the records that are named', async () => {
    await quarantineRecords('lot', 'UNKNOWN_MAKE', item('1'), item('2'), item('3'));
    expect((await admin.gql('mutation { retryQuarantined(ids: []) { tried } }')).data.retryQuarantined.tried).toBe(0);
    expect((await admin.gql('mutation { retryQuarantined(ids: [2]) { tried } }')).data.retryQuarantined.tried).toBe(1);
    expect((await admin.gql('mutation { dismissQuarantined(ids: ["3", "2"]) }')).data.dismissQuarantined).toBe(1);
    expect(await ids()).toEqual(['1']);
  });

  it.each([
    ['{ quarantine(first: 101) { total } }', 'VALIDATION'],
    ['{ quarantine(after: "x") { total } }', 'VALIDATION'],
    ['mutation { dismissQuarantined }', 'VALIDATION'],
    ['mutation { retryQuarantined(ids: ["x"]) { tried } }', 'NOT_FOUND'],
  ])('refuses %s', async (query, code) => {
    expect((await admin.gql(query)).errors[0]?.extensions.code).toBe(code);
  });
});

describe('the health of a source', () => {
  it('counts the records of the last day, and states its lag', async () => {
    const listed = (id: number, seconds: number) => ({
      facts: {
        ...{ externalId: String(id), title: '2018 Toyota Camry', make: 'toyota', model: 'camry', year: 2018 },
        ...{ price: 1, mileageMiles: null, transmission: null, color: null, condition: null, images: [], url: null },
        ...{ city: null, state: null, lat: null, lng: null, status: ListingStatus.forSale },
        listedAt: new Date(Date.now() - seconds * 1000),
      },
    });
    const page = [listed(1, 10), listed(2, 10), listed(3, 3600)];
    await storeListings(api.db.pool, 'lot', page, { announce: true });
    await storeListings(api.db.pool, 'lot', page, { announce: true });
    await storeListings(api.db.pool, 'yard', [listed(4, 86_400)], { announce: false });
    await quarantineRecords('lot', 'NO_ID', 1, 2);
    await quarantineRecords('lot', 'UNKNOWN_MAKE', 3);
    await api.db.pool.query(
      `insert into source_hours (source, hour, accepted) values ('lot', now() - interval '25 hours', 1000)`,
    );
    const { data, errors } = await admin.gql(`{ sourceHealth {
      name state everySeconds nextPollAt items rejects lagP50Ms lagP95Ms lagListings
      lastDay { accepted updated unchanged rejected } quarantined { code count } } }`);
    expect(errors).toEqual([]);
    const [lot, yard] = data.sourceHealth;
    expect(lot).toMatchObject({
      ...{ name: 'lot', state: 'waiting', everySeconds: null, nextPollAt: null, items: 3, rejects: 3, lagListings: 3 },
      lastDay: { accepted: 3, updated: 0, unchanged: 3, rejected: 3 },
      quarantined: [
        { code: 'NO_ID', count: 2 },
        { code: 'UNKNOWN_MAKE', count: 1 },
      ],
    });
    expect(Math.abs(lot.lagP50Ms / 10_000 - 1)).toBeLessThan(0.1);
    expect(Math.abs(lot.lagP95Ms / 3_600_000 - 1)).toBeLessThan(0.1);
    expect(yard).toMatchObject({ state: 'waiting', everySeconds: 30, items: 1, lagP50Ms: null, lagListings: 0 });
    expect(yard.nextPollAt).not.toBeNull();
  });

  it('has the state that follows from its row', async () => {
    await api.db.pool.query(
      `update sources set last_success_at = now() - interval '11 minutes', last_error = 'It answered 500.' where name = 'yard'`,
    );
    const state = async () => (await admin.gql('{ sourceHealth { state } }')).data.sourceHealth[1].state;
    expect(await state()).toBe('failing');
    await api.db.pool.query("update sources set last_success_at = now() where name = 'yard'");
    expect(await state()).toBe('degraded');
    await api.db.pool.query("update sources set last_error = null where name = 'yard'");
    expect(await state()).toBe('healthy');
    await api.db.pool.query("update sources set next_poll_at = 'infinity' where name = 'yard'");
    expect(await state()).toBe('stopped');
  });
});
