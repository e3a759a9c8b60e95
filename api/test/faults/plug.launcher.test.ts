/** @module-tag long */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makePool } from '../../src/base/database.ts';
import { launchLotWatch, partOf, type RunningLotWatch, untilServed } from '../running-lotwatch.ts';
import { setUpFolder } from '../set-up.ts';

const token = 'a-token-for-the-test-of-faults';
const address = 'plug@example.com';
const cities = ['Boise', 'Reno', 'Tulsa'];
const states: Record<string, string> = { Boise: 'ID', Reno: 'NV', Tulsa: 'OK' };

const folder = setUpFolder();
let lotWatch: RunningLotWatch;

beforeAll(async () => {
  lotWatch = await launchLotWatch(folder, { INGEST_TOKEN: token, RATE_LIMITS: 'off', DEMO_MARKETPLACE: 'off' });
  await untilServed(lotWatch);
});
afterAll(async () => {
  lotWatch.process.kill('SIGTERM');
  await lotWatch.ended;
});

/** Retries until it succeeds, as the sender of a push or an operator does while a part is down. */
async function until<T>(attempt: () => Promise<T>): Promise<T> {
  for (const end = Date.now() + 30_000; ; await sleep(100)) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}

function query<T extends object>(sql: string, values: unknown[] = []): Promise<T[]> {
  return until(async () => {
    const pool = makePool(readFileSync(join(folder, 'database-url'), 'utf8').trim(), 1);
    try {
      return (await pool.query<T>(sql, values)).rows;
    } finally {
      await pool.end();
    }
  });
}

let cookie = '';
async function graphql<T>(text: string, input: object): Promise<T> {
  const response = await fetch(`${lotWatch.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify({ query: text, variables: { input } }),
  });
  cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
  const { data, errors } = (await response.json()) as { data: T; errors?: unknown };
  expect(errors).toBeUndefined();
  return data;
}

interface Car {
  id: string;
  city: string;
  model: 'mazda3' | 'cx-5';
  year: number;
  price: number;
}
interface Wanted {
  city: string;
  model?: Car['model'];
  priceMax?: number;
  yearMin?: number;
}

function carAt(n: number): Car {
  const city = cities[n % 3] ?? '';
  return {
    id: `car-${n}`,
    city,
    model: n % 2 ? 'cx-5' : 'mazda3',
    year: 2010 + (n % 12),
    price: 8000 + ((n * 37) % 9000),
  };
}

async function push(cars: readonly Car[]): Promise<void> {
  const items = cars.map(({ id, city, model, year, price }) => ({
    id,
    marketplace_listing_title: `${year} Mazda ${model === 'mazda3' ? 'Mazda3' : 'CX-5'}`,
    listing_price: { amount: String(price), currency: 'USD' },
    location: { reverse_geocode: { city, state: states[city] } },
    custom_sub_titles_with_rendering_flags: [{ subtitle: `${10 + Number(id.slice(4))}K miles` }],
    listing_photos: [{ image: { uri: 'https://photos.example/1.jpg' } }],
    is_live: true,
  }));
  const response = await fetch(`${lotWatch.url}/api/ingest/plug`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(items),
    signal: AbortSignal.timeout(10_000),
  });
  const answer = (await response.json()) as { rejected?: number };
  if (response.status !== 200) throw new Error(`${response.status} ${JSON.stringify(answer)}`);
  expect(answer.rejected).toBe(0);
}

/** Every pair that was mailed; one that was mailed twice is there twice. */
async function mailedPairs(): Promise<string[]> {
  const file = join(folder, 'outbox.ndjson');
  if (!existsSync(file)) return [];
  const names = new Map(
    (await query<{ id: number; name: string }>('select id, external_id as name from listings')).map((row) => [
      String(row.id),
      row.name,
    ]),
  );
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const mails = lines.map((line) => JSON.parse(line) as { to: string; matchIds: string[] });
  return mails
    .filter(({ to }) => to === address)
    .flatMap(({ matchIds }) => matchIds)
    .map((pair) => pair.replace(/^\d+/, (listing) => names.get(listing) ?? listing))
    .sort();
}

/** Lets five minutes pass for every alert, and a minute for mails that a killed sender had claimed. */
async function letTimePass(): Promise<void> {
  await query("update alerts set last_mailed_at = last_mailed_at - interval '6 minutes'");
  await query("update notifications set due_at = now() where status = 'waiting' and due_at > now()");
  await query(
    `update mails set claimed_at = now() - interval '61 seconds'
      where status = 'sending' and claimed_at < now() - interval '4 seconds'`,
  );
  await query("select pg_notify('lotwatch_work', 'send')");
}

const workerWaits = `select 1 from pg_stat_activity
  where application_name = 'lotwatch-worker' and wait_event_type = 'Lock'`;
const mailIsClaimed = "select 1 from mails where status = 'sending'";

/** Kills a part in the middle of its work: the part waits for a table that the test has locked. */
async function killMidway(
  part: 'worker' | 'postgres',
  mode: string,
  table: string,
  cause: () => Promise<void>,
  underWay: string,
): Promise<void> {
  const pool = makePool(readFileSync(join(folder, 'database-url'), 'utf8').trim(), 1);
  const holder = await until(() => pool.connect());
  try {
    // The part may still be starting.
    await until(async () => partOf(lotWatch, part));
    await holder.query('begin');
    await holder.query(`lock table ${table} in ${mode} mode`);
    await until(cause);
    await expect.poll(async () => (await query(underWay)).length, { timeout: 20_000 }).toBeGreaterThan(0);
    process.kill(partOf(lotWatch, part), 'SIGKILL');
  } finally {
    holder.release(true);
    await pool.end();
  }
}

it('has every match and every mail exactly once after worker, api and PostgreSQL were killed', async () => {
  await graphql('mutation ($input: RegisterInput!) { register(input: $input) { id } }', {
    username: 'plug',
    password: 'secret-1',
    email: address,
  });
  await query('update users set plan_id = (select id from plans order by alert_limit desc limit 1) where id > 1');
  const wanted: Wanted[] = cities.flatMap((city) => [
    { city },
    { city, model: 'mazda3' },
    { city, priceMax: 12_000 },
    { city, yearMin: 2015 },
  ]);
  const alerts = new Map<string, Wanted>();
  for (const { city, ...criteria } of wanted) {
    const input = { make: 'mazda', location: `${city}, ${states[city]}`, radius: 50, ...criteria };
    const text = 'mutation ($input: AlertInput!) { createAlert(input: $input) { id } }';
    const { createAlert } = await graphql<{ createAlert: { id: string } }>(text, input);
    alerts.set(createAlert.id, { city, ...criteria });
  }

  const cars = Array.from({ length: 200 }, (_, n) => carAt(n));
  const expected = cars
    .flatMap((car) =>
      [...alerts].flatMap(([id, alert]) => {
        const { city, model = car.model, priceMax = car.price, yearMin = car.year } = alert;
        return city === car.city && model === car.model && car.price <= priceMax && car.year >= yearMin
          ? [`${car.id}:${id}`]
          : [];
      }),
    )
    .sort();
  expect(expected.length).toBeGreaterThan(400);

  for (let n = 0; n < cars.length; n += 10) {
    const sending = () => push(cars.slice(n, n + 10));
    // A push without an answer is repeated.
    if (n === 60) await killMidway('worker', 'share row exclusive', 'matches', sending, workerWaits);
    if (n === 100) {
      const lost = sending().catch(() => sleep(50));
      process.kill(partOf(lotWatch, 'api'), 'SIGKILL');
      await lost;
    }
    if (n === 130) await killMidway('worker', 'access exclusive', 'sources', letTimePass, mailIsClaimed);
    if (n === 160) await killMidway('postgres', 'share row exclusive', 'matches', sending, workerWaits);
    await until(sending);
    await sleep(100);
  }

  const waiting = async () => (await query<{ n: number }>('select count(*) as n from listings_to_match'))[0]?.n;
  await expect.poll(waiting, { timeout: 30_000, interval: 200 }).toBe(0);
  const matched = await query<{ pair: string }>(
    `select l.external_id || ':' || m.alert_id as pair from matches m join listings l on l.id = m.listing_id`,
  );
  expect(matched.map(({ pair }) => pair).sort()).toEqual(expected);

  const unsent = async () => {
    await letTimePass();
    return (await query("select id from notifications where status not in ('sent')")).length;
  };
  await expect.poll(unsent, { timeout: 40_000, interval: 700 }).toBe(0);
  expect(await mailedPairs()).toEqual(expected);
  for (const part of ['worker', 'api', 'PostgreSQL']) expect(lotWatch.output()).toContain(`${part} is back after`);
});
