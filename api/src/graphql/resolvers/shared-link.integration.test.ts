import { beforeEach, describe, expect, it } from 'vitest';
import { type Browser, makeBrowser } from '../../../test/browser.ts';
import { insertMatches, storeCars } from '../../../test/factories.ts';
import { setUpApi } from '../../../test/make-app.ts';
import { unmarkListings } from '../../../test/matching/listing-marks.ts';
import { criteria, links, openShared, share, shareCars, titlesOf } from '../../../test/sharing.ts';
import { ListingStatus } from '../../domain/facts/listing-facts.ts';
import { alertFieldNames, deliveryNames } from '../../domain/forms/alert.ts';

let ana: Browser;
let anaId: number;
let ben: Browser;
let alertId: number;
let cars: number[];

const api = setUpApi({}, async () => {
  ({ browser: ana, id: anaId } = await api.user('zqana', { email: 'zqana@home.example', phone: '+12135550123' }));
  await api.db.pool.query('update users set plan_id = 4 where id = $1', [anaId]);
  ({ browser: ben } = await api.user('ben'));
  alertId = await ana.createAlert({
    location: '89501',
    excludeWords: ['zqexcluded'],
    priceMax: 20_000,
  });
  cars = await store([
    { title: '2015 Toyota Camry' },
    { title: '2016 Toyota Camry', status: ListingStatus.sold },
    { title: '2017 Toyota Camry', status: ListingStatus.gone },
    { title: '2018 Toyota Camry' },
  ]);
  await insertMatches(api.db.pool, alertId, cars);
});
beforeEach(async () => {
  await api.db.pool.query('truncate shared_links, saved_listings');
  await api.db.pool.query('update matches set alert_version = 1 where alert_version > 1');
});

const sparks = { city: 'Sparks', state: 'NV', lat: 39.5349, lng: -119.7527 };
/** Stores cars as they are once they were matched. */
async function store(given: Parameters<typeof storeCars>[1]): Promise<number[]> {
  const ids = await storeCars(
    api.db.pool,
    given.map((car) => ({ ...sparks, ...car })),
  );
  await unmarkListings(api.db.pool);
  return ids;
}
/** Makes two listings offers of one car. */
const asOneCar = (ids: readonly number[]) =>
  api.db.pool.query('update listings set car_id = $2 where id = any($1)', [ids, ids[0]]);
const hide = async (id: number, hidden = true) => {
  const { errors } = await ana.gql(
    'mutation ($id: ID!, $hidden: Boolean!) { hideCar(id: $id, hidden: $hidden) { id } }',
    {
      id: String(id),
      hidden,
    },
  );
  expect(errors).toEqual([]);
};

/** As somebody without a session. */
const open = (url: string, browser = makeBrowser(api.url)) => openShared(url, browser);

describe('a link to an alert', () => {
  it('shows what is for sale now and fits it, newest first, each car once, without those hidden from any alert', async () => {
    const { url } = (await share(ana, alertId)).data.shareAlert;
    expect(titlesOf(await open(url))).toEqual(['2018 Toyota Camry', '2015 Toyota Camry']);
    const other = await ana.createAlert({ location: '89501' });
    const later = await store([{ title: '2019 Toyota Camry' }, { title: '2019 Toyota Camry again' }]);
    await store([
      { title: '2019 Toyota Camry zqexcluded' },
      { title: '2014 Toyota Camry', price: 20_001 },
      { title: '2013 Toyota Camry', city: 'Pasadena', state: 'CA', lat: 34.1478, lng: -118.1445 },
    ]);
    await asOneCar(later);
    expect(titlesOf(await open(url))).toEqual(['2019 Toyota Camry again', '2018 Toyota Camry', '2015 Toyota Camry']);
    // The other alert alone has matched it, under its other listing.
    await insertMatches(api.db.pool, other, later.slice(0, 1));
    await hide(later[0] ?? 0);
    expect(titlesOf(await open(url))).toEqual(['2018 Toyota Camry', '2015 Toyota Camry']);
    await ana.gql('mutation ($id: ID!) { updateAlert(id: $id, input: { isActive: false }) { id } }', {
      id: String(alertId),
    });
    await api.db.pool.query('delete from listings where id <> all($1)', [cars]);
    expect(titlesOf(await open(url))).toEqual(['2018 Toyota Camry', '2015 Toyota Camry']);
  });

  it('shows the same cars wherever in its town the alert is, so that none of them tells where', async () => {
    // The middle of the town is more than ten miles from one car, and less from the other; with the ZIP codes it is the reverse.
    const nearZip = { title: '2011 Toyota Camry', lat: 34.2, lng: -118.2 };
    const nearTown = { title: '2012 Toyota Camry', lat: 33.96, lng: -118.3 };
    await store([nearZip, nearTown]);
    const towns = new Set<string>();
    for (const location of ['90041', '90001', 'Eagle Rock, CA', 'Los Angeles, CA']) {
      const id = await ana.createAlert({ location, radius: 10 });
      const shared = await open((await share(ana, id)).data.shareAlert.url);
      expect(titlesOf(shared)).toEqual(['2012 Toyota Camry']);
      towns.add(shared.alert.place);
      await ana.gql('mutation ($id: ID!) { deleteAlert(id: $id) }', { id: String(id) });
    }
    expect([...towns]).toEqual(['Los Angeles, CA']);
    await api.db.pool.query('delete from listings where id <> all($1)', [cars]);
  });

  it('holds nothing about its owner, and the town in place of the ZIP code', async () => {
    const { url } = (await share(ana, alertId)).data.shareAlert;
    await ana.gql('mutation ($id: ID!) { saveListing(id: $id, saved: true) { id } }', { id: String(cars[0]) });
    await ana.gql('mutation ($id: ID!) { noteOnListing(id: $id, note: "zqnote") { id } }', { id: String(cars[0]) });
    const withWord = await ana.createAlert({ location: '89501', requireWords: ['zqrequired'] });
    const word = (await share(ana, withWord)).data.shareAlert;
    const { lat, lng } = await api.db.row('select lat, lng from alerts where id = $1', [alertId]);
    // Also its owner sees there what everybody sees.
    for (const browser of [makeBrowser(api.url), ana, ben]) {
      const shared = await open(url, browser);
      expect(shared.alert).toEqual({
        make: 'toyota',
        model: 'camry',
        models: null,
        yearMin: null,
        yearMax: null,
        place: 'Reno, NV',
        radius: 50,
        priceMin: null,
        priceMax: 20_000,
        color: 'any',
        onlyWithImages: true,
        mileageMax: null,
        transmission: null,
        fuel: null,
        drive: null,
        body: null,
        titleStatus: null,
        seller: null,
        priceStated: null,
        belowFairPrice: false,
        asksForWords: true,
      });
      expect(shared.cars).toHaveLength(2);
      const narrowed = await open(word.url, browser);
      expect(narrowed).toMatchObject({ alert: { asksForWords: true }, cars: [] });
      const text = JSON.stringify([shared, narrowed]);
      expect(text).not.toMatch(/zqana|zqexcluded|zqrequired|zqnote|home\.example|5550123|89501/i);
      for (const degrees of [lat, lng, 39.5349, -119.7527]) expect(text).not.toContain(String(degrees).slice(0, 5));
    }
    await ana.gql('mutation ($id: ID!) { deleteAlert(id: $id) }', { id: String(withWord) });
  });

  it('has no field but those of its types, which name nothing of the owner', async () => {
    const fieldsOf = async (name: string) => {
      const query = 'query ($name: String!) { __type(name: $name) { fields { name } } }';
      const { data } = await ana.gql(query, { name });
      return data.__type.fields.map((field: { name: string }) => field.name).join(' ');
    };
    expect(await fieldsOf('Shared')).toBe('alert cars');
    expect(await fieldsOf('SharedAlert').then((names) => names.split(' ').sort())).toEqual(criteria.split(' ').sort());
    // A new criterion is shown too, or named here with what stands for it.
    const replaced = new Map([
      ['location', 'place'],
      ['excludeWords', 'asksForWords'],
      ['requireWords', 'asksForWords'],
    ]);
    const asked = alertFieldNames.filter((name) => !deliveryNames.some((one) => one === name));
    const shown = new Set(asked.map((name) => replaced.get(name) ?? name));
    expect([...shown].sort()).toEqual(criteria.split(' ').sort());
    expect(await fieldsOf('SharedCar').then((names) => names.split(' ').sort())).toEqual(
      'title status price trim mileage transmission fuel drive body titleStatus color condition location priceBand photos url marketplaceUrl createdAt'
        .split(' ')
        .sort(),
    );
  });

  it('ends with its alert', async () => {
    const own = await ana.gql('mutation ($id: ID!) { updateAlert(id: $id, input: { isActive: false }) { id } }', {
      id: String(alertId),
    });
    expect(own.errors).toEqual([]);
    const second = await ana.createAlert();
    const { url } = (await share(ana, second)).data.shareAlert;
    expect(await open(url)).not.toBeNull();
    await ana.gql('mutation ($id: ID!) { deleteAlert(id: $id) }', { id: String(second) });
    expect(await open(url)).toBeNull();
    expect(await links(ana)).toEqual([]);
    expect(await api.db.rows('select id from shared_links')).toEqual([]);
  });

  it.each([
    ["another user's alert", () => share(ben, alertId)],
    ['a missing one', () => share(ana, 999_999)],
    ['no number', () => share(ana, 'x')],
  ])('is not made for %s', async (_what, call) => {
    expect((await call()).errors[0]?.extensions).toMatchObject({ code: 'NOT_FOUND' });
    expect(await api.db.rows('select id from shared_links')).toEqual([]);
  });
});

describe('a link to a list', () => {
  it('shows the cars that were chosen, in their order, also when they are saved no more, but none that was hidden', async () => {
    for (const id of [cars[0], cars[1]])
      await ana.gql('mutation ($id: ID!) { saveListing(id: $id, saved: true) { id } }', { id: String(id) });
    const [one = 0, two = 0, , four = 0] = cars;
    const { data } = await shareCars(ana, [two, four, one, two]);
    const { url } = data.shareListings;
    expect(data.shareListings).toMatchObject({
      alert: null,
      carCount: 3,
      titles: ['2016 Toyota Camry', '2018 Toyota Camry', '2015 Toyota Camry'],
    });
    await ana.gql('mutation ($id: ID!) { saveListing(id: $id, saved: false) { id } }', { id: String(one) });
    const shared = await open(url);
    expect(shared.alert).toBeNull();
    expect(titlesOf(shared)).toEqual(['2016 Toyota Camry', '2018 Toyota Camry', '2015 Toyota Camry']);
    expect(JSON.stringify(shared)).not.toMatch(/zqana|zqnote|home\.example|5550123|39\.53|119\.75/i);
    await hide(four);
    expect(titlesOf(await open(url))).toEqual(['2016 Toyota Camry', '2015 Toyota Camry']);
  });

  it('leaves out a car that is hidden under another listing, and that stays hidden when the alert is deleted', async () => {
    const own = await ana.createAlert({ location: '89501' });
    const offers = await store([{ title: '2019 Toyota Camry' }, { title: '2019 Toyota Camry again' }]);
    const [first = 0, second = 0] = offers;
    await asOneCar(offers);
    await insertMatches(api.db.pool, own, [first]);
    await ana.gql('mutation ($id: ID!) { saveListing(id: $id, saved: true) { id } }', { id: String(first) });
    const ids = [first, cars[0] ?? 0];
    const { url } = (await shareCars(ana, ids)).data.shareListings;
    expect(titlesOf(await open(url))).toEqual(['2019 Toyota Camry', '2015 Toyota Camry']);
    // Its other listing is the one that is hidden.
    await insertMatches(api.db.pool, own, [second]);
    await api.db.pool.query('update matches set alert_version = 2147483647 where listing_id = $1', [second]);
    expect(titlesOf(await open(url))).toEqual(['2015 Toyota Camry']);
    const refused = await shareCars(ana, ids);
    expect(refused.errors[0]?.extensions).toMatchObject({
      code: 'VALIDATION',
      fields: { ids: "A car that you hid can't be shared." },
    });
    await ana.gql('mutation ($id: ID!) { deleteAlert(id: $id) }', { id: String(own) });
    expect(titlesOf(await open(url))).toEqual(['2015 Toyota Camry']);
    expect(await links(ana)).toMatchObject([{ carCount: 1, titles: ['2015 Toyota Camry'] }]);
    await api.db.pool.query('delete from listings where id = any($1)', [offers]);
  });

  it.each([
    ['no cars', () => shareCars(ana, []), 'VALIDATION'],
    [
      'too many',
      () =>
        shareCars(
          ana,
          Array.from({ length: 51 }, (_, n) => n + 1),
        ),
      'VALIDATION',
    ],
    ["a car that is nobody's", () => shareCars(ana, [cars[0] ?? 0, 999_999]), 'NOT_FOUND'],
    ["another user's car", () => shareCars(ben, [cars[0] ?? 0]), 'NOT_FOUND'],
    ['no number', () => shareCars(ana, ['x']), 'NOT_FOUND'],
  ])('is not made for %s', async (_what, call, code) => {
    expect((await call()).errors[0]?.extensions).toMatchObject({ code });
    expect(await api.db.rows('select id from shared_links')).toEqual([]);
  });
});
