import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Browser, makeBrowser } from '../../../test/browser.ts';
import { insertMatches, storeCars } from '../../../test/factories.ts';
import { setUpApi } from '../../../test/make-app.ts';
import { ListingStatus } from '../../domain/facts/listing-facts.ts';

const lines: unknown[] = [];
const note = (...given: unknown[]) => void lines.push(given);

let ana: Browser;
let anaId: number;
let ben: Browser;
let alertId: number;
let cars: number[];

const api = setUpApi({ log: { info: note, warn: note, error: note } }, async () => {
  ({ browser: ana, id: anaId } = await api.user('zqana', { email: 'zqana@home.example', phone: '+12135550123' }));
  ({ browser: ben } = await api.user('ben'));
  alertId = await ana.createAlert({
    location: '89501',
    excludeWords: ['zqexcluded'],
    requireWords: ['zqrequired'],
    priceMax: 20_000,
  });
  cars = await storeCars(api.db.pool, [
    { title: '2015 Toyota Camry', city: 'Sparks', state: 'NV', lat: 39.5349, lng: -119.7527 },
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

const made = '{ id url alert { id } carCount titles createdAt expiresAt }';
const share = (browser: Browser, id: number | string) =>
  browser.gql(`mutation ($id: ID!) { shareAlert(id: $id) ${made} }`, { id: String(id) });
const shareCars = (browser: Browser, ids: readonly (number | string)[]) =>
  browser.gql(`mutation ($ids: [ID!]!) { shareListings(ids: $ids) ${made} }`, { ids: ids.map(String) });
const end = (browser: Browser, id: string) => browser.gql('mutation ($id: ID!) { endSharedLink(id: $id) }', { id });
const links = async (browser: Browser) => (await browser.gql(`{ sharedLinks ${made} }`)).data.sharedLinks;

const criteria =
  'make model models yearMin yearMax place radius priceMin priceMax color onlyWithImages mileageMax transmission fuel drive body titleStatus seller priceStated belowFairPrice asksForWords';
const facts =
  'title status price mileage transmission color condition location { reverse_geocode { city state } } priceBand { low middle high n rating reason } photos url createdAt';
const tokenOf = (url: string) => url.split('/shared/')[1] ?? '';
/** As somebody without a session. */
const open = async (url: string, browser: Browser = makeBrowser(api.url)) => {
  const query = `query ($token: String!) { shared(token: $token) { alert { ${criteria} } cars { ${facts} } } }`;
  const { data, errors } = await browser.gql(query, { token: tokenOf(url) });
  expect(errors).toEqual([]);
  return data.shared;
};
const titlesOf = (shared: { cars: { title: string }[] } | null) => shared?.cars.map(({ title }) => title);

describe('a link to an alert', () => {
  it('shows what it matches now, newest first, without hidden cars and those that nobody lists any more', async () => {
    const { url } = (await share(ana, alertId)).data.shareAlert;
    await expect
      .poll(async () => titlesOf(await open(url)))
      .toEqual(['2018 Toyota Camry', '2016 Toyota Camry', '2015 Toyota Camry']);
    expect((await open(url)).cars[1].status).toBe('sold');
    await ana.gql('mutation ($id: ID!) { hideCar(id: $id, hidden: true) { id } }', { id: String(cars[3]) });
    const [later = 0] = await storeCars(api.db.pool, [{ title: '2019 Toyota Camry' }]);
    await insertMatches(api.db.pool, alertId, [later]);
    await expect
      .poll(async () => titlesOf(await open(url)))
      .toEqual(['2019 Toyota Camry', '2016 Toyota Camry', '2015 Toyota Camry']);
    await api.db.pool.query('delete from matches where listing_id = $1', [later]);
  });

  it('holds nothing about its owner, and the town in place of the ZIP code', async () => {
    const { url } = (await share(ana, alertId)).data.shareAlert;
    await ana.gql('mutation ($id: ID!) { saveListing(id: $id, saved: true) { id } }', { id: String(cars[0]) });
    await ana.gql('mutation ($id: ID!) { noteOnListing(id: $id, note: "zqnote") { id } }', { id: String(cars[0]) });
    await expect.poll(async () => (await open(url)).cars.length).toBe(3);
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
      const text = JSON.stringify(shared);
      expect(text).not.toMatch(/zqana|zqexcluded|zqrequired|zqnote|home\.example|5550123|89501/i);
      for (const degrees of [lat, lng, 39.5349, -119.7527]) expect(text).not.toContain(String(degrees).slice(0, 5));
    }
  });

  it('has no field but those of its types, which name nothing of the owner', async () => {
    const fieldsOf = async (name: string) => {
      const query = 'query ($name: String!) { __type(name: $name) { fields { name } } }';
      const { data } = await ana.gql(query, { name });
      return data.__type.fields.map((field: { name: string }) => field.name).join(' ');
    };
    expect(await fieldsOf('Shared')).toBe('alert cars');
    expect(await fieldsOf('SharedAlert').then((names) => names.split(' ').sort())).toEqual(criteria.split(' ').sort());
    expect(await fieldsOf('SharedCar').then((names) => names.split(' ').sort())).toEqual(
      'title status price mileage transmission color condition location priceBand photos url createdAt'
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
    await ana.gql('mutation ($id: ID!) { hideCar(id: $id, hidden: true) { id } }', { id: String(four) });
    expect(titlesOf(await open(url))).toEqual(['2016 Toyota Camry', '2015 Toyota Camry']);
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

describe('every link', () => {
  it('is stored as a hash, and its address is in the answer that made it alone', async () => {
    const { data } = await share(ana, alertId);
    const { url, id } = data.shareAlert;
    expect(url).toMatch(/^http:\/\/localhost:4000\/shared\/[\w-]{43}$/);
    const token = tokenOf(url);
    const [row] = await api.db.rows("select *, encode(token_hash, 'hex') as hash from shared_links");
    expect(row?.hash).toBe(createHash('sha256').update(token).digest('hex'));
    expect(JSON.stringify(row)).not.toContain(token);
    expect(await links(ana)).toMatchObject([
      { id, url: null, alert: { id: String(alertId) }, carCount: 0, titles: [] },
    ]);
    const days = (Date.parse(data.shareAlert.expiresAt) - Date.parse(data.shareAlert.createdAt)) / 86_400_000;
    expect(Math.round(days)).toBe(90);
    await makeBrowser(api.url).fetch(`/shared/${token}`);
    expect(JSON.stringify(lines)).not.toContain(token);
  });

  it('is ended by its owner alone, at once, and then answers as one that never was', async () => {
    const { id, url } = (await share(ana, alertId)).data.shareAlert;
    expect((await end(ben, id)).errors[0]?.extensions).toMatchObject({ code: 'NOT_FOUND' });
    expect((await end(makeBrowser(api.url), id)).errors[0]?.extensions).toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(await open(url)).not.toBeNull();
    expect((await end(ana, id)).data.endSharedLink).toBe(id);
    expect(await open(url)).toBeNull();
    expect((await end(ana, id)).errors[0]?.extensions).toMatchObject({ code: 'NOT_FOUND' });
    for (const token of ['', 'x', 'a'.repeat(43), 'a'.repeat(100_000), "' or 1=1 --", '\u0000'])
      expect(await open(`/shared/${token}`)).toBeNull();
  });

  it('expires, and counts no more', async () => {
    const { url } = (await share(ana, alertId)).data.shareAlert;
    await api.db.pool.query("update shared_links set expires_at = now() - interval '1 second'");
    expect(await open(url)).toBeNull();
    expect(await links(ana)).toEqual([]);
  });

  it('is one of 20 at most, however many are made at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 23 }, (_, n) => (n % 2 ? share(ana, alertId) : shareCars(ana, [cars[0] ?? 0]))),
    );
    const codes = answers.flatMap(({ errors }) => errors.map(({ extensions }) => extensions.code));
    expect(codes).toEqual(['CONFLICT', 'CONFLICT', 'CONFLICT']);
    expect(await links(ana)).toHaveLength(20);
    await end(ana, (await links(ana))[0].id);
    expect((await share(ana, alertId)).errors).toEqual([]);
    expect(await links(ben)).toEqual([]);
  });

  it('is not listed to visitors', async () => {
    const { errors } = await makeBrowser(api.url).gql('{ sharedLinks { id } }');
    expect(errors[0]?.extensions).toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('is exported without its address, and ends with the account', async () => {
    const { url } = (await shareCars(ana, [cars[0] ?? 0])).data.shareListings;
    const { data } = await ana.gql('mutation { exportMyData }');
    expect(data.exportMyData.sharedLinks).toMatchObject([{ alertId: null, listingIds: [cars[0]] }]);
    expect(JSON.stringify(data)).not.toContain(tokenOf(url));
    expect(await open(url)).not.toBeNull();
    await ana.gql('mutation { requestDeletion(reason: "Enough") { requestId } }');
    await api.db.pool.query("update deletion_requests set status = 'approved' where user_id = $1", [anaId]);
    const admin = await api.admin();
    const erase = 'mutation ($id: ID!) { executeDeletion(userId: $id) { message } }';
    expect((await admin.gql(erase, { id: String(anaId) })).errors).toEqual([]);
    expect(await open(url)).toBeNull();
    expect(await api.db.rows('select id from shared_links')).toEqual([]);
  });
});
