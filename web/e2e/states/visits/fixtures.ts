import { setTimeout as sleep } from 'node:timers/promises';
import { makePool, type Pool } from '../../../../api/src/base/database.ts';
import { type LotWatchUnderTest, push } from '../../browser/running.ts';
import { createAlert, logIn, PASSWORD, type Person, personAt, register } from '../../browser/session.ts';
import { itemsFor } from './listings.ts';

/** The users and data for visits of states. A state that changes them must restore them. */
export interface Fixtures {
  /** The address of LotWatch, without a trailing slash. */
  url: string;
  people: { visitor: Person; user: Person; empty: Person; full: Person; admin: Person };
  /** Ids of the user's alerts. */
  alerts: {
    /** Toyota Supra, made today, with five matches. */
    supra: string;
    /** Ford Bronco of any year, made yesterday, with one match without photo and place. */
    bronco: string;
    /** Honda S2000, without matches. */
    s2000: string;
    /** Chevrolet Corvette, switched off. */
    corvette: string;
    /** Volvo XC60, which expires in 4 days. */
    volvo: string;
  };
  /** Registers a new user. */
  newPerson(): Promise<Person>;
  /** Lists cars at a separate source, as a partner does. */
  push(items: readonly unknown[]): Promise<unknown>;
  /** The database, for changes that only time or an operator makes. */
  pool: Pool;
  close(): Promise<void>;
}

const TIMEOUT_MS = 60_000;

const alertInputs: Record<keyof Fixtures['alerts'], Record<string, unknown>> = {
  volvo: { make: 'volvo', model: 'xc60', location: 'Chicago, IL', radius: 25, yearMin: 2018, priceMax: 32_000 },
  corvette: { make: 'chevrolet', model: 'corvette', location: 'Austin, TX', radius: 100, yearMax: 2004 },
  s2000: { make: 'honda', model: 's2000', location: 'Boston, MA', radius: 50, priceMin: 10_000, priceMax: 30_000 },
  bronco: { make: 'ford', model: 'bronco', location: 'Portland, OR', radius: 50, onlyWithImages: false },
  supra: {
    make: 'toyota',
    model: 'supra',
    location: 'Denver, CO',
    radius: 100,
    yearMin: 2019,
    priceMin: 20_000,
    priceMax: 60_000,
  },
};

interface Announced {
  alert: { matchCount: number };
  matches: { nodes: { receipt: { handedOverAt: string | null } }[] };
}

/** Lists the cars, waits until they are matched and mailed, and makes one sold and one viewed. */
async function listCars(lotWatch: LotWatchUnderTest, user: Person, alerts: Fixtures['alerts']): Promise<void> {
  const { forSale, sold, refused } = itemsFor(lotWatch.url);
  for (const item of forSale) await push(lotWatch, 'city-cars', [item]);
  const isAnnounced = async (id: string, count: number): Promise<boolean> => {
    const query = `{ alert(id: ${id}) { matchCount } matches(alertId: ${id}) { nodes { receipt { handedOverAt } } } }`;
    const { alert, matches } = await user.ask<Announced>(query);
    return alert.matchCount === count && matches.nodes.some(({ receipt }) => receipt.handedOverAt !== null);
  };
  for (const end = Date.now() + TIMEOUT_MS; ; await sleep(200)) {
    if ((await isAnnounced(alerts.supra, 5)) && (await isAnnounced(alerts.bronco, 1))) break;
    if (Date.now() > end) throw new Error('the listings of the fixtures do not match, or are not mailed');
  }
  await push(lotWatch, 'city-cars', sold);
  await push(lotWatch, 'corner-lot', refused);
  const { recentListings } = await user.ask<{ recentListings: { id: string; title: string }[] }>(
    '{ recentListings { id title } }',
  );
  const old = recentListings.find(({ title }) => title.startsWith('2019 toyota supra'));
  await user.ask('mutation ($id: ID!) { markListingViewed(id: $id) { id } }', { id: old?.id });
}

/** Sets the ages of the alerts to those of the specification, switches one off, and lets one expire soon. */
async function setAges(pool: Pool, alerts: Fixtures['alerts']): Promise<void> {
  const days = { supra: 0, bronco: 1, s2000: 3, corvette: 15, volvo: 38 } as const;
  for (const [name, id] of Object.entries(alerts)) {
    await pool.query(
      `with earlier as (
         select id as of, user_id as owner, created_at - make_interval(days => $2) as created,
                expires_at - make_interval(days => $2) as expires from alerts where id = $1
       )
       update alerts set created_at = e.created, expires_at = e.expires from earlier e where id = e.of and user_id = e.owner`,
      [id, days[name as keyof typeof days]],
    );
  }
}

/** Fills an empty LotWatch with users, alerts and listings, always the same ones. */
export async function createFixtures(lotWatch: LotWatchUnderTest): Promise<Fixtures> {
  const { url } = lotWatch;
  const pool = makePool(lotWatch.databaseUrl, 2, 'states');
  const registerOne = async (name: string) => personAt(url, await register(url, name, PASSWORD));
  const [user, empty, full, admin] = await Promise.all([
    registerOne('ana'),
    registerOne('ben'),
    registerOne('cleo'),
    logIn(url, 'admin', lotWatch.adminPassword).then((account) => personAt(url, account)),
  ]);
  await pool.query("update users set plan_id = 2 where username = 'ana'");
  await createAlert(full, { ...alertInputs.s2000, location: 'Miami, FL' });
  const alerts = { volvo: '', corvette: '', s2000: '', bronco: '', supra: '' };
  for (const name of Object.keys(alerts) as (keyof typeof alerts)[])
    alerts[name] = await createAlert(user, alertInputs[name]);
  await setAges(pool, alerts);
  await user.ask('mutation ($id: ID!) { updateAlert(id: $id, input: {isActive: false}) { id } }', {
    id: alerts.corvette,
  });
  await listCars(lotWatch, user, alerts);
  let people = 0;
  return {
    url,
    pool,
    alerts,
    people: { visitor: personAt(url, { name: '', email: '', cookies: [] }), user, empty, full, admin },
    push: (items) => push(lotWatch, 'night-lot', items),
    newPerson: () => registerOne(`dora${++people}`),
    close: () => pool.end(),
  };
}
