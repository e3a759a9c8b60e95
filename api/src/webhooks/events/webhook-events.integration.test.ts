import { expect, it } from 'vitest';
import { buildFacts, storeCars, storePage } from '../../../test/factories.ts';
import { emailParts, recordingMailer, sendDueMails } from '../../../test/mail/mail-fixtures.ts';
import { setUpApi } from '../../../test/make-app.ts';
import {
  type Dealer,
  deliverAll,
  LOCAL_WEBHOOKS,
  makeDealer,
  makeTestEngine,
  makeWebhook,
  matchAndMakeEvents,
} from '../../../test/webhooks/dealer.ts';
import { matchPendingAlerts } from '../../matching/match-alerts.ts';
import { matchPendingListings } from '../../matching/match-listings.ts';

let dealer: Dealer;
const api = setUpApi({ env: LOCAL_WEBHOOKS }, async () => {
  dealer = await makeDealer(api);
});

const rest = async ({ browser }: Dealer, path: string) => (await browser.fetch(path)).json();
const camry = (more: Partial<Parameters<typeof buildFacts>[0]> = {}) => buildFacts({ ...more });

it('makes events of announced matches as REST shows them, each once, and of none from before', async () => {
  await storeCars(api.db.pool, [{ title: 'Camry before' }]);
  await matchAndMakeEvents(api);
  const { receiver } = await makeWebhook(dealer);
  const engine = makeTestEngine(api);
  const stored = await storeCars(api.db.pool, [{ title: 'Camry one' }, { title: 'Camry two' }]);
  // Cars that are stored together get their ids in any order, and their events have the order of the ids.
  const ids = stored.toSorted((a, b) => a - b);
  await matchAndMakeEvents(api);
  await matchAndMakeEvents(api);
  await deliverAll(engine);
  await deliverAll(engine);
  expect(receiver.forged).toEqual([]);
  expect(receiver.accepted.map(({ type }) => type)).toEqual(['match.created', 'match.created']);
  const taken = receiver.accepted.toSorted((a, b) => a.cursor - b.cursor);
  expect(taken.map(({ data }) => data.listing.id)).toEqual(ids);
  expect(new Set(taken.map(({ id }) => id)).size).toBe(2);

  const [first] = taken;
  const recent = await rest(dealer, '/api/listings/recent');
  const { note, ...shown } = recent.find(({ id }: { id: number }) => id === ids[0]);
  expect([note, first?.data.listing]).toEqual([null, shown]);
  const { matchCount, newCount: _, ...alert } = await rest(dealer, `/api/alerts/${dealer.alertId}`);
  expect(first?.data.alert).toEqual({ ...alert, matchCount });
  const ofMatch = `matchedAt announced distance verdicts { criterion verdict asked found }
    receipt { listedAt seenAt matchedAt handedOverAt deliveredAt } listing { id }`;
  const { data } = await dealer.browser.gql(`{ matches { nodes { ${ofMatch} } } }`);
  const { listing, ...match } = data.matches.nodes.find(
    (node: { listing: { id: string } }) => Number(node.listing.id) === ids[0],
  );
  expect(first?.data).toMatchObject(match);
  const { type, timestamp } = JSON.parse(first?.body ?? '{}');
  expect([type, timestamp]).toEqual(['match.created', match.matchedAt]);
});

it('shows what is known of the car: its price band, its days for sale, its relists and its cautions', async () => {
  const { pool } = api.db;
  const place = { city: 'Barstow', lat: 34.8958, lng: -117.0173 };
  const someone = await makeDealer(api, { location: 'Barstow, CA', radius: 5, priceMax: 20_000 });
  const { receiver } = await makeWebhook(someone);
  const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1000 - 60_000);
  const [alone = 0, earlier = 0, again = 0] = await storeCars(pool, [
    { ...place, price: 8_000, listedAt: daysAgo(12), prepayment: 'deposit by wire' },
    { ...place, price: 60_000, listedAt: daysAgo(40) },
    { ...place, price: 14_000, listedAt: daysAgo(3), vin: '1HGCM82633A004352', year: 2016 },
  ]);
  await pool.query('update listings set car_id = $1 where id in ($1, $2)', [earlier, again]);
  await pool.query("update listings set seen_at = now() - interval '40 days' where id = $1", [earlier]);
  await pool.query(
    'update listings set band_low = 12000, band_middle = 14000, band_high = 17000, band_cars = 31 where id = any($1)',
    [[alone, again]],
  );
  await pool.query("update listings set band_refusal = 'few_cars', band_cars = 2 where id = $1", [earlier]);
  await matchAndMakeEvents(api);
  await deliverAll(makeTestEngine(api));
  const recent: { id: number }[] = await rest(someone, '/api/listings/recent');
  const received = receiver.accepted
    .toSorted((a, b) => a.data.listing.id - b.data.listing.id)
    .map(({ data }) => data.listing);
  expect(received.map(({ id }) => id)).toEqual([alone, again]);
  for (const listing of received) expect(recent.find(({ id }) => id === listing.id)).toMatchObject(listing);
  const band = { low: 12_000, middle: 14_000, high: 17_000, n: 31, reason: null };
  const kinds = ({ cautions }: { cautions: { kind: string }[] }) => cautions.map(({ kind }) => kind);
  expect(received).toMatchObject([
    { carId: alone, priceBand: { ...band, rating: 'great' }, daysOnMarket: 12, relists: 0 },
    { carId: earlier, priceBand: { ...band, rating: 'fair' }, daysOnMarket: 40, relists: 1 },
  ]);
  expect(received.map(kinds)).toEqual([['low_price', 'prepayment'], ['vin_car']]);
});

it('makes each event once, wherever the maker begins to read', async () => {
  const someone = await makeDealer(api, { location: 'Bakersfield, CA' });
  const { receiver } = await makeWebhook(someone);
  const place = { lat: 35.3733, lng: -119.0187, city: 'Bakersfield' };
  await storeCars(api.db.pool, [place, place]);
  await matchAndMakeEvents(api);
  await api.db.pool.query(`update webhook_positions set position = 1, listing_id = 0, alert_id = 0`);
  await storeCars(api.db.pool, [place]);
  await matchAndMakeEvents(api);
  await deliverAll(makeTestEngine(api));
  expect(receiver.accepted.filter(({ data }) => data.alert.id === someone.alertId)).toHaveLength(3);
});

it('makes no events of a backfill, of the first read of a source, and of a known car', async () => {
  for (const emailNotifications of [true, false]) {
    const someone = await makeDealer(api, { location: 'Redding, CA', make: 'kia', model: 'rio' });
    const { receiver } = await makeWebhook(someone);
    const rio = (more: Parameters<typeof buildFacts>[0]) =>
      buildFacts({
        title: '2018 Kia Rio',
        make: 'kia',
        model: 'rio',
        lat: 40.5865,
        lng: -122.3917,
        city: 'Redding',
        ...more,
      });
    await storePage(api.db.pool, 'test', [rio({ title: 'Rio that was there' })]);
    await matchAndMakeEvents(api);
    const alertId = await someone.browser.createAlert({
      make: 'kia',
      model: null,
      location: 'Redding, CA',
      radius: 25,
      emailNotifications,
    });
    while ((await matchPendingAlerts(api.db.pool)) > 0);
    await matchAndMakeEvents(api);
    await storePage(api.db.pool, 'new-source', [rio({ title: 'Rio of a new source' })], false);
    const known = rio({ title: 'Rio that comes', vin: null, mileageMiles: 44_321 });
    await storePage(api.db.pool, 'test', [known]);
    await matchAndMakeEvents(api);
    await storePage(api.db.pool, 'test', [{ ...known, externalId: `${known.externalId}-again`, title: 'Rio again' }]);
    await matchAndMakeEvents(api);
    await deliverAll(makeTestEngine(api));
    const received = receiver.accepted.filter(({ data: { alert } }) => alert.id === alertId);
    expect([emailNotifications, received.map(({ data: { listing } }) => listing.title)]).toEqual([
      emailNotifications,
      ['Rio that comes'],
    ]);
    expect(received[0]?.data.announced).toBe(emailNotifications);
  }
});

it('makes events of listings that came after the alert, however late they are matched', async () => {
  const towns = [
    { emailNotifications: true, lat: 40.8021, lng: -124.1637, city: 'Eureka' },
    { emailNotifications: false, lat: 37.3635, lng: -118.3951, city: 'Bishop' },
  ];
  // Each has cars of its own: the times of the other's would not fit this alert's.
  for (const { emailNotifications, ...place } of towns) {
    const someone = await makeDealer(api, { location: `${place.city}, CA`, emailNotifications });
    const { receiver } = await makeWebhook(someone);
    const ago = (minutes: number) => `now() - interval '${minutes} minutes'`;
    await api.db.pool.query(
      `update alerts set created_at = ${ago(120)}, backfill_requested_at = ${ago(60)} where id = $1`,
      [someone.alertId],
    );
    const ids = await storeCars(api.db.pool, [
      { ...place, title: 'Camry before the edit' },
      { ...place, title: 'Camry after it' },
    ]);
    for (const [at, minutes] of [90, 30].entries()) {
      await api.db.pool.query(
        `update listings set seen_at = ${ago(minutes)}, changed_at = ${ago(minutes)} where id = $1`,
        [ids[at]],
      );
    }
    await matchAndMakeEvents(api);
    await deliverAll(makeTestEngine(api));
    expect(receiver.accepted.map(({ data }) => data.listing.title)).toEqual(
      emailNotifications ? ['Camry before the edit', 'Camry after it'] : ['Camry after it'],
    );
  }
});

it('makes an event of a drop of 5 % once for each price, also where the alert mails nothing', async () => {
  for (const emailNotifications of [true, false]) {
    const someone = await makeDealer(api, { location: 'Fresno, CA', emailNotifications });
    const { receiver } = await makeWebhook(someone);
    const engine = makeTestEngine(api);
    const place = { lat: 36.7378, lng: -119.7871, city: 'Fresno' };
    const facts = camry({ ...place, price: 10_000, title: 'Camry that drops' });
    for (const price of [10_000, 9_600, 9_500, 9_500, 9_100, 9_400, 9_000]) {
      await storePage(api.db.pool, 'test', [{ ...facts, price, title: `Camry at ${price}` }]);
      await matchAndMakeEvents(api);
    }
    await deliverAll(engine);
    const received = receiver.accepted
      .toSorted((a, b) => a.cursor - b.cursor)
      .map(({ type, data }) => [type, data.price, data.priceBefore]);
    expect([emailNotifications, received]).toEqual([
      emailNotifications,
      [
        ['match.created', undefined, undefined],
        ['listing.price_dropped', 9_500, 10_000],
        ['listing.price_dropped', 9_000, 9_500],
      ],
    ]);
    expect(receiver.accepted.at(-1)?.data.listing.alertIds).toEqual([someone.alertId]);
  }
  expect((await api.db.pool.query('select from price_drops')).rowCount).toBe(0);
});

it('makes an event of an alert that ends within three days, once for each expiry date', async () => {
  const someone = await makeDealer(api, { location: 'Anaktuvuk Pass, AK' });
  const { receiver } = await makeWebhook(someone);
  const engine = makeTestEngine(api);
  const endIn = (hours: number) =>
    api.db.pool.query('update alerts set expires_at = now() + make_interval(hours => $2) where id = $1', [
      someone.alertId,
      hours,
    ]);
  await endIn(73);
  await matchAndMakeEvents(api);
  await endIn(71);
  await matchAndMakeEvents(api);
  await matchAndMakeEvents(api);
  await deliverAll(engine);
  expect(receiver.accepted.map(({ type, data }) => [type, data.alert.id, data.alert.daysRemaining])).toEqual([
    ['alert.expiring', someone.alertId, 3],
  ]);
  await someone.browser.gql('mutation ($id: ID!) { renewAlert(id: $id) { id } }', { id: String(someone.alertId) });
  await matchAndMakeEvents(api);
  await endIn(20);
  await matchAndMakeEvents(api);
  await deliverAll(engine);
  expect(receiver.accepted).toHaveLength(2);
});

it('makes the event of a match that an edit kept from being announced, once it is announced', async () => {
  const { pool } = api.db;
  const someone = await makeDealer(api, { location: 'Fresno, CA' });
  const { receiver } = await makeWebhook(someone, ['match.created']);
  const edit = async (priceMax: number) => {
    const text = 'mutation ($id: ID!, $input: AlertPatch!) { updateAlert(id: $id, input: $input) { id } }';
    await someone.browser.gql(text, { id: String(someone.alertId), input: { priceMax } });
    while ((await matchPendingAlerts(pool)) > 0);
  };
  const car = camry({ city: 'Fresno', lat: 36.7477, lng: -119.7724, price: 20_000 });
  await storePage(pool, 'test', [car]);
  while ((await matchPendingListings(pool)) > 0);
  await edit(10_000);
  await pool.query('update notifications set due_at = now() where alert_id = $1', [someone.alertId]);
  await sendDueMails(emailParts(api.db, recordingMailer(), { confirmEmail: false }));
  await edit(30_000);
  const engine = makeTestEngine(api);
  await matchAndMakeEvents(api);
  await deliverAll(engine);
  expect(receiver.accepted).toEqual([]);

  await storePage(pool, 'test', [{ ...car, price: 18_000 }]);
  await matchAndMakeEvents(api);
  await deliverAll(engine);
  expect(receiver.accepted.map(({ data }) => data.listing.price)).toEqual([18_000]);
});
