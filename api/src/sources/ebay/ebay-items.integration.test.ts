import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EbayCar, ebayCar, ebayCars } from '../../../lab/ebay/ebay-cars.ts';
import { EbayServer } from '../../../lab/ebay/ebay-server.ts';
import { pollRig } from '../../../test/reading/poll-rig.ts';
import { setUpServer } from '../../../test/set-up.ts';
import { purge } from '../../../test/until-done.ts';
import { ensureSources } from '../change-sources.ts';
import { encryptSecrets } from '../source-secrets.ts';
import { parseSources } from '../source-settings.ts';

const NEWEST = new Date(Date.now() - 3_600_000);
const JSON_TYPE = { 'content-type': 'application/json' };
const rig = pollRig();
let ebay = new EbayServer();
const server = setUpServer((message, response) => ebay.answer(message, response));
beforeEach(() => {
  ebay = new EbayServer();
});
afterEach(() => rig.db.pool.query('truncate source_accounts, source_details'));

async function begin(more: object = {}): Promise<void> {
  const { clientId, clientSecret } = ebay;
  const keys = { clientId, clientSecret, apiBase: server.url, allowPrivateNetwork: true };
  const settings = { name: 'lot', kind: 'ebay', ...keys, everySeconds: 86_400, ...more };
  await ensureSources(rig.db.pool, encryptSecrets(rig.deps.encryption, parseSources(JSON.stringify([settings]), '/')));
}
async function poll(): Promise<string | null> {
  ebay.calls = [];
  await rig.poll();
  return (await rig.source()).last_error;
}
const asked = () => ebay.callsOf('item').length;
const offsets = () => ebay.callsOf('search').map(({ url }) => Number(url.searchParams.get('offset')));
const listings = () => rig.db.rows('select * from listings order by listed_at desc, id');
const withMileage = async () => (await listings()).map(({ mileage }) => mileage !== null);
const announced = async () => (await listings()).filter(({ announce }) => announce).map(({ title }) => title);
const idOf = ({ id }: EbayCar) => `v1|${200_000_000_000 + id}|0`;
const leave = (calls: number) =>
  rig.db.pool.query('update source_accounts set calls_left = $1, counted_at = now()', [calls]);
const age = (days: number) =>
  rig.db.pool.query(`update source_details set read_at = read_at - $1 * interval '1 day'`, [days]);

/** Answers questions for some of the items. */
const answerItems = (which: (id: string) => boolean, answer: (response: ServerResponse) => unknown): void => {
  ebay.script = ({ kind, url }, response) => {
    if (kind !== 'item' || !which(decodeURIComponent(url.pathname.split('/').at(-1) ?? ''))) return false;
    answer(response);
    return true;
  };
};
const status = (code: number) => (response: ServerResponse) =>
  response.writeHead(code, JSON_TYPE).end('{"errors":[{"message":"no"}]}');

it('whatever a seller writes, the page is stored', async () => {
  const [first, ...others] = ebayCars(4, NEWEST) as [EbayCar, ...EbayCar[]];
  const hostile = [
    '\\u0000',
    'a\\\\u0000',
    '\u0000',
    '\ud83d',
    `${'x'.repeat(499)}\u{1f600}`,
    `${'x'.repeat(99)}\u{1f600}`,
  ];
  ebay.cars = [
    {
      ...first,
      title: `${first.title} \\u0000`,
      city: 'Austin\u0000\\u0000',
      aspects: {
        ...first.aspects,
        ...Object.fromEntries(
          hostile.flatMap((text) => [
            [text, text],
            [`of ${text}`, text],
          ]),
        ),
      },
    },
    ...others,
  ];
  await begin();
  expect(await poll()).toBeNull();
  expect(await withMileage()).toEqual([true, true, true, true]);
  const [stored] = await rig.db.rows('select details from source_details where external_id = $1', [idOf(first)]);
  expect(stored?.details.aspects['\\u0000']).toBe('\\u0000');
  expect(stored?.details.location.city).toBe('Austin\ufffd\\u0000');
  expect(await poll()).toBeNull();
  expect(asked()).toBe(0);
});

describe('an item that can not be asked for', () => {
  it.each([
    ['is refused', status(400)],
    ['makes a fault at eBay', status(500)],
    ['is answered with no JSON', (response: ServerResponse) => response.writeHead(200, JSON_TYPE).end('<p>Sorry</p>')],
    ['is answered with a list', (response: ServerResponse) => response.writeHead(200, JSON_TYPE).end('[]')],
  ])('holds up no other, and is asked for again a day later: one that %s', async (_what, answer) => {
    ebay.cars = ebayCars(4, NEWEST);
    const [first] = ebay.cars as [EbayCar];
    await begin();
    answerItems((id) => id === idOf(first), answer);
    expect(await poll()).toBeNull();
    expect(asked()).toBe(4);
    expect(await withMileage()).toEqual([false, true, true, true]);
    expect(await poll()).toBeNull();
    expect(asked()).toBe(0);
    await age(1);
    ebay.script = () => false;
    expect(await poll()).toBeNull();
    expect(asked()).toBe(1);
    expect(await withMileage()).toEqual([true, true, true, true]);
  });

  it('is none where eBay itself has a fault, and the read goes on behind it', async () => {
    ebay.cars = ebayCars(6, NEWEST);
    await begin();
    answerItems(() => true, status(500));
    expect(await poll()).toMatch(/^eBay answered 500 to the question for an item: no Before that, 2 records were read/);
    expect(asked()).toBe(3);
    expect(await poll()).toMatch(/^eBay answered 500/);
    expect(asked()).toBe(3);
    expect(await poll()).toBeNull();
    expect(await listings()).toHaveLength(6);
  });

  it.each([401, 403, 429])('is none where the answer is %i', async (code) => {
    ebay.cars = ebayCars(4, NEWEST);
    await begin();
    answerItems(() => true, status(code));
    expect(await poll()).toMatch(new RegExp(`^eBay answered ${code}`));
    expect(await rig.db.rows('select from source_details')).toEqual([]);
  });
});

it('old details hold until newer ones are read', async () => {
  ebay.cars = ebayCars(3, NEWEST);
  await begin({ callsPerDay: 50 });
  expect(await poll()).toBeNull();
  await age(91);
  await rig.db.pool.query(`update listings set status = 'gone' where external_id = $1`, [
    idOf(ebay.cars[2] as EbayCar),
  ]);
  expect(await purge(rig.db.pool, 'source-details')).toMatchObject({ removed: 1 });
  ebay.cars = ebay.cars.slice(0, 2).map((car) => ({ ...car, aspects: { ...car.aspects, Mileage: '99000' } }));
  await leave(4);
  expect(await poll()).toBeNull();
  expect(asked()).toBe(0);
  expect(await withMileage()).toEqual([true, true, true]);
  await leave(10);
  answerItems((id) => id === idOf(ebay.cars[0] as EbayCar), status(500));
  expect(await poll()).toBeNull();
  expect(asked()).toBe(2);
  expect((await listings()).slice(0, 2).map(({ mileage }) => mileage)).toEqual([expect.any(Number), 99_000]);
});

describe('calls are counted', () => {
  it('together, however the address is written', async () => {
    ebay.cars = ebayCars(3, NEWEST);
    await begin();
    await poll();
    await begin({ apiBase: `${server.url.replace('http', 'HTTP')}/` });
    await poll();
    expect(await rig.db.rows('select from source_accounts')).toHaveLength(1);
  });

  it('on from now after the clock was set back', async () => {
    ebay.cars = ebayCars(3, NEWEST);
    await begin({ callsPerDay: 50 });
    await poll();
    await rig.db.pool.query(`update source_accounts set calls_left = 0, counted_at = now() + interval '30 days'`);
    expect(await poll()).toMatch(/^Waiting for eBay/);
    const [account] = await rig.db.rows('select calls_left, counted_at <= now() as counts from source_accounts');
    expect(account).toEqual({ calls_left: 0, counts: true });
  });
});

it('a first read ends at what the quota allows, and later ones go on from there, without an announcement', async () => {
  ebay.cars = ebayCars(1100, NEWEST);
  await begin({ callsPerDay: 50 });
  expect(await poll()).toBeNull();
  // Ten calls at once: down to half for details, and down to a quarter for pages.
  expect(offsets()).toEqual([0, 200, 400]);
  expect(await rig.source()).toMatchObject({ first_read_done: true });
  const fresh = ebayCar(5000, new Date());
  ebay.cars.unshift(fresh);
  await leave(4);
  expect(await poll()).toBeNull();
  expect(offsets()).toEqual([0, 200]);
  expect(await announced()).toEqual([fresh.title]);
  await leave(4);
  expect(await poll()).toBeNull();
  expect(offsets()).toEqual([0, 600]);
  await leave(4);
  expect(await poll()).toBeNull();
  expect(offsets()).toEqual([0, 800]);
  await leave(4);
  expect(await poll()).toBeNull();
  expect(offsets()).toEqual([0, 1000]);
  expect(await listings()).toHaveLength(1101);
  expect(await announced()).toEqual([fresh.title]);
  // The whole read is at its end, and the next one is due a day after it began.
  await leave(4);
  expect(await poll()).toBeNull();
  expect(offsets()).toEqual([0]);
});

it('of many new cars all are announced while the first read goes on, and no car that was there before', async () => {
  ebay.cars = ebayCars(1100, NEWEST);
  await rig.db.pool.query(
    `insert into source_details (source, external_id, details) select 'lot', id, '{}' from unnest($1::text[]) as id`,
    [Array.from({ length: 250 }, (_, index) => `v1|${200_000_001_150 + index}|0`)],
  );
  await begin({ callsPerDay: 50 });
  await poll();
  await leave(3.5);
  ebay.cars = [...Array.from({ length: 250 }, (_, index) => ebayCar(1399 - index, new Date())), ...ebay.cars];
  expect(await poll()).toBeNull();
  expect(offsets()).toEqual([0, 200, 400]);
  expect(await announced()).toHaveLength(250);
  await leave(10);
  await poll();
  await leave(10);
  expect(await poll()).toBeNull();
  expect(await listings()).toHaveLength(1350);
  expect(await announced()).toHaveLength(250);
});
