import { beforeEach, expect, it } from 'vitest';
import { type Browser } from '../../../test/browser.ts';
import { buildFacts, storePage, untilMatchesVisible } from '../../../test/factories.ts';
import { makeTestApi, setUpApi } from '../../../test/make-app.ts';
import { changeAlerts } from '../../../test/matching/change-alerts.ts';
import { type ListingFacts, ListingStatus } from '../../domain/facts/listing-facts.ts';
import { quarantineRecords } from '../../intake/quarantine.ts';
import { matchPendingAlerts } from '../../matching/match-alerts.ts';
import { matchPendingListings } from '../../matching/match-listings.ts';

let ana: Browser;
let alertId: number;

const api = setUpApi({}, async () => {
  ({ browser: ana } = await api.user('ana'));
  await api.db.pool.query("insert into sources (name, kind) values ('test', 'push'), ('yard', 'push')");
});

beforeEach(async () => {
  await api.db.pool.query('update users set plan_id = 4');
  alertId = await ana.createAlert({ yearMin: 2015, priceMax: 16_000 });
  await matchAll();
});

async function matchAll(): Promise<void> {
  while ((await matchPendingListings(api.db.pool)) > 0);
  while ((await matchPendingAlerts(api.db.pool)) > 0);
  await untilMatchesVisible(api.db.pool);
}

async function store(change: Partial<ListingFacts> = {}, source = 'test'): Promise<ListingFacts & { id: number }> {
  const facts = buildFacts(change);
  const { results } = await storePage(api.db.pool, source, [facts]);
  return { ...facts, id: results[0]?.listingId ?? 0 };
}

const seenDaysAgo = (id: number, days: number) =>
  api.db.pool.query('update listings set seen_at = now() - make_interval(days => $2) where id = $1', [id, days]);

const query = `query ($alertId: ID!, $listing: String!) { explainListing(alertId: $alertId, listing: $listing) {
  outcome message fits listing { id title year price place status } verdicts { criterion verdict asked found }
  match { matchedAt announced receipt { handedOverAt } } choices { id title } } }`;

async function explain(listing: string, id = alertId, browser = ana) {
  const { data, errors } = await browser.gql(query, { alertId: id, listing });
  return errors[0] ?? data.explainListing;
}

const failedCriteria = (answer: { verdicts: { criterion: string; verdict: string }[] }) =>
  answer.verdicts.filter(({ verdict }) => verdict === 'not_met').map(({ criterion }) => criterion);

it('a match is found by number, by id at its source and by address, and is announced', async () => {
  const url = 'https://cars.example/used/9912345';
  const car = await store({ externalId: '9912345', url });
  await matchAll();
  for (const text of [`#${car.id}`, '9912345', url, ' cars.example/used/9912345?from=mail ']) {
    expect(await explain(text), text).toMatchObject({
      outcome: 'announced',
      fits: true,
      listing: {
        id: String(car.id),
        title: car.title,
        year: 2018,
        price: 15_400,
        place: 'Pasadena, CA',
        status: 'for_sale',
      },
      match: { announced: true, receipt: { handedOverAt: null } },
      choices: [],
    });
  }
});

it('a listing that fails criteria is shown with them, and without a match', async () => {
  const car = await store({ year: 2012, price: 17_000, make: 'honda', model: 'civic' });
  await matchAll();
  const answer = await explain(`#${car.id}`);
  expect(answer).toMatchObject({ outcome: 'does_not_fit', fits: false, match: null });
  expect(failedCriteria(answer)).toEqual(['make', 'model', 'year', 'price']);
});

it('a car of the make is found by words of its title, also beyond the radius, and several are to be chosen from', async () => {
  const far = await store({ title: '2018 Toyota Camry SE zaffre', lat: 35.3733, lng: -119.0187 });
  await matchAll();
  const answer = await explain('ZAFFRE camry');
  expect(answer).toMatchObject({ outcome: 'does_not_fit', listing: { id: String(far.id) } });
  expect(failedCriteria(answer)).toEqual(['distance']);

  const ids: number[] = [];
  for (let count = 0; count < 6; count += 1) ids.push((await store({ title: 'Camry 100%_ cerulean' })).id);
  await matchAll();
  const several = await explain('100%_ cerulean');
  expect(several).toMatchObject({ outcome: 'several', fits: null, listing: null, verdicts: [] });
  expect(several.choices.map(({ id }: { id: string }) => Number(id))).toEqual(ids.reverse().slice(0, 5));
  expect(await explain(`#${several.choices[1].id}`)).toMatchObject({ outcome: 'announced' });
  expect(await explain('1000 cerulean')).toMatchObject({ outcome: 'not_found' });
});

it('a sold match is still found by its title, and a car of another make where the title names that', async () => {
  const car = await store({ title: 'Camry gamboge' });
  await store({ title: 'Honda Civic celadon', make: 'honda', model: 'civic' });
  await matchAll();
  await storePage(api.db.pool, 'test', [{ ...car, status: ListingStatus.sold }]);
  await matchAll();
  expect(await explain('gamboge')).toMatchObject({ listing: { status: 'sold' }, match: { announced: true } });
  const unknown = await explain('celadon');
  expect(unknown).toMatchObject({ outcome: 'not_found', listing: null });
  expect(unknown.message).toMatch(/^We found no car with this title\. We looked among the matches of this alert/);
  for (const title of ['Civic celadon', 'HONDA civic celadon', '1999 civic celadon']) {
    const answer = await explain(title);
    const isNamed = !title.startsWith('1999');
    expect(answer, title).toMatchObject({ outcome: isNamed ? 'does_not_fit' : 'not_found' });
    if (isNamed) expect(failedCriteria(answer)).toEqual(['make', 'model']);
  }
});

it('a car that was sold in the last 30 days and no match is found by its title, and one from before is not', async () => {
  const sold = { status: ListingStatus.sold, price: 50_000 };
  const [recent, old] = [
    await store({ ...sold, title: '2018 Toyota Camry mauve' }),
    await store({ ...sold, title: '2018 Toyota Camry puce', mileageMiles: 91_000 }),
  ];
  await store({ ...sold, title: '2018 Honda Accord mauve', make: 'honda', model: 'accord' });
  await matchAll();
  await api.db.pool.query("update listings set last_seen_at = now() - interval '31 days' where id = $1", [old.id]);
  for (const title of ['mauve', 'camry MAUVE'])
    expect(await explain(title), title).toMatchObject({
      outcome: 'does_not_fit',
      listing: { id: String(recent.id), status: 'sold' },
    });
  expect(await explain('accord mauve')).toMatchObject({ listing: { title: '2018 Honda Accord mauve' } });
  expect(await explain('camry puce')).toMatchObject({ outcome: 'not_found' });
});

it('a car of the named model is found behind newer ones of its make', async () => {
  const { pool } = api.db;
  const car = await store({ title: '2009 Honda Element umber', make: 'honda', model: 'element' });
  await matchAll();
  await seenDaysAgo(car.id, 60);
  await pool.query(
    `insert into listings (source, external_id, title, make, model, facts_hash, make_key, model_key, pending_match, color_code)
     select source, 'civic ' || n, '2009 Honda Civic', make, 'civic', '', make_key, 1, false, 0
       from listings, generate_series(1, 4000) n where id = $1`,
    [car.id],
  );
  expect(await explain('umber honda element')).toMatchObject({ listing: { id: String(car.id) } });
  await pool.query("delete from listings where external_id like 'civic %'");
});

it('an address with the number of a listing at another site names none', async () => {
  await store({ externalId: '7712345678', url: 'https://one.example/7712345678' });
  await matchAll();
  expect(await explain('https://other.example/7712345678')).toMatchObject({ outcome: 'never_seen' });
  expect(await explain('https://m.one.example/item/7712345678')).toMatchObject({ outcome: 'announced' });
});

it('an address without a number is found among the cars of the make', async () => {
  const url = 'https://lot.example/the-blue-one';
  const car = await store({ externalId: 'stock-1', url });
  await matchAll();
  expect(await explain(url)).toMatchObject({ listing: { id: String(car.id) } });
});

it('a car from before the alert is shown only, and one from long before is too old', async () => {
  const recent = await store();
  const old = await store({ mileageMiles: 90_210 });
  await matchAll();
  await seenDaysAgo(recent.id, 5);
  await seenDaysAgo(old.id, 20);
  const later = await ana.createAlert();
  await matchAll();
  expect(await explain(`#${recent.id}`, later)).toMatchObject({ outcome: 'backfilled', match: { announced: false } });
  expect(await explain(`#${old.id}`, later)).toMatchObject({ outcome: 'too_old', fits: true, match: null });
});

it('the search of a new alert goes back 14 days, and a car that had just become older is too old, not missed', async () => {
  const [newer, older, late] = [
    await store(),
    await store({ mileageMiles: 90_210 }),
    await store({ mileageMiles: 90_220 }),
  ];
  await matchAll();
  const later = await ana.createAlert();
  /** How many seconds younger than 14 days it was when the alert was made. */
  const seenBefore = (id: number, seconds: number) =>
    api.db.pool.query(
      `update listings set seen_at = (select backfill_requested_at from alerts where id = $2) - interval '14 days'
         + make_interval(secs => $3) where id = $1`,
      [id, later, seconds],
    );
  await seenBefore(newer.id, 600);
  await seenBefore(older.id, -1);
  // The search ran a little later than the alert was made.
  await seenBefore(late.id, 0);
  await matchAll();
  expect(await explain(`#${newer.id}`, later)).toMatchObject({ outcome: 'backfilled' });
  expect(await explain(`#${older.id}`, later)).toMatchObject({ outcome: 'too_old', match: null });
  expect(await explain(`#${late.id}`, later)).toMatchObject({ outcome: 'too_old', match: null });
  // One that the search should have found is a fault.
  await seenBefore(late.id, 1200);
  expect(await explain(`#${late.id}`, later)).toMatchObject({ outcome: 'missed' });
});

it('a match that no longer fits, a dismissed car, and one that is not for sale say so', async () => {
  const dearer = await store();
  const unwanted = await store({ mileageMiles: 55_555 });
  const sold = await store({ status: ListingStatus.sold, mileageMiles: 66_666 });
  await matchAll();
  await storePage(api.db.pool, 'test', [{ ...dearer, price: 30_000 }]);
  await ana.gql('mutation ($id: ID!) { hideCar(id: $id, hidden: true) { id } }', { id: unwanted.id });
  await matchAll();
  expect(await explain(`#${dearer.id}`)).toMatchObject({ outcome: 'fitted_before', fits: false, match: null });
  expect(await explain(`#${unwanted.id}`)).toMatchObject({ outcome: 'dismissed', match: null });
  expect(await explain(`#${sold.id}`)).toMatchObject({ outcome: 'not_for_sale', fits: true });
});

it('a car waits to be matched, and an alert that is off finds nothing', async () => {
  const car = await store();
  expect(await explain(`#${car.id}`)).toMatchObject({ outcome: 'pending', match: null });
  await changeAlerts(api.db, 'is_active = false', { where: 'id = $1', values: [alertId] });
  await matchAll();
  expect(await explain(`#${car.id}`)).toMatchObject({ outcome: 'not_watching' });
});

it('a record in quarantine is named with a reason for buyers, which quotes nothing of it', async () => {
  const rejection = {
    code: 'NOT_A_CAR' as const,
    reason: 'secret words',
    record: '{"url":"https://yard.example/77123456"}',
  };
  await quarantineRecords(api.db.pool, 'yard', [{ externalId: '77123456', ...rejection }], { announce: true });
  for (const text of ['77123456', 'https://yard.example/77123456']) {
    const answer = await explain(text);
    expect(answer).toMatchObject({ outcome: 'quarantined', listing: null, fits: null });
    expect(answer.message).toContain('it does not read like an offer of one whole car');
    expect(answer.message).not.toContain('secret');
  }
  expect(await explain('https://elsewhere.example/77123456')).toMatchObject({ outcome: 'never_seen' });
});

it('an address does not tell what else a record in quarantine says', async () => {
  const quarantined = (externalId: string, record: object) =>
    quarantineRecords(
      api.db.pool,
      'yard',
      [{ externalId, code: 'NOT_A_CAR', reason: 'x', record: JSON.stringify(record) }],
      { announce: true },
    );
  const seller = { phone: '6265550142', mail: 'seller@private.example', page: 'https://private.example/' };
  await quarantined('77999001', { url: 'https://www.yard.example/77999001', seller });
  await quarantined('77999002', { seller });
  for (const host of ['6265550142', 'seller', 'private.example', 'yard', 'example', 'ard.example', 'phone'])
    for (const id of ['77999001', '77999002'])
      expect(await explain(`https://${host}/${id}`), `${host} ${id}`).toMatchObject({ outcome: 'never_seen' });
  expect(await explain('https://m.yard.example/77999001')).toMatchObject({ outcome: 'quarantined' });
});

it("another user's alert is not found, and hostile texts are refused or find nothing", async () => {
  const { browser: bo } = await api.user('bo');
  expect(await explain('#1', alertId, bo)).toMatchObject({ extensions: { code: 'NOT_FOUND' } });
  expect(await explain('#1', 987_654)).toMatchObject({ extensions: { code: 'NOT_FOUND' } });
  for (const text of ['', '  ', 'x'.repeat(501)])
    expect(await explain(text)).toMatchObject({
      extensions: { code: 'VALIDATION', fields: { listing: expect.any(String) } },
    });
  for (const text of ['#987654321', '9'.repeat(500), 'https://%zz/'])
    expect(await explain(text), text).toMatchObject({ outcome: 'never_seen' });
  for (const text of ['\u0000', '%%%', "' or 1=1 --"])
    expect(await explain(text), text).toMatchObject({ outcome: 'not_found' });
});

it('no more than 120 questions an hour are answered', async () => {
  const limited = await makeTestApi({ db: api.db, env: { RATE_LIMITS: 'on' } });
  const { browser, id } = await limited.user('eager');
  const own = await browser.createAlert();
  await limited.db.pool.query('insert into rate_limits (key, points, expire) values ($1, 119, $2)', [
    `explain-user:${id}`,
    Date.now() + 60_000,
  ]);
  expect(await explain('#987654321', own, browser)).toMatchObject({ outcome: 'never_seen' });
  expect(await explain('#987654321', own, browser)).toMatchObject({ extensions: { code: 'RATE_LIMITED' } });
  await limited.close();
});
