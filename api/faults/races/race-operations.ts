import { createAlert } from '../../src/alerts/create-alert.ts';
import { deleteAlert } from '../../src/alerts/delete-alert.ts';
import { renewAlert } from '../../src/alerts/renew-alert.ts';
import { updateAlert } from '../../src/alerts/update-alert.ts';
import { inTransaction, type Pool } from '../../src/base/database.ts';
import { databaseFault } from '../../src/base/database-fault.ts';
import { AppError } from '../../src/base/errors.ts';
import { type ListingFacts, ListingStatus } from '../../src/domain/facts/listing-facts.ts';
import type { Orm } from '../../src/entities/orm.ts';
import { storeListings } from '../../src/intake/store-listings.ts';
import { buildFacts } from '../../test/factories.ts';
import { pointReader, type World } from './race-workers.ts';

interface RaceParts {
  pool: Pool;
  orm: Orm;
  random: () => number;
  /** Whether commits are lost on a server, which is said to be unavailable then. */
  losesCommits: boolean;
}

/** Errors that are correct in a race: the alert is gone, the plan's limit is reached, or two bounds were edited past each other. */
const rightful = ['NOT_FOUND', 'PLAN_LIMIT', 'VALIDATION'];
const deps = { gazetteer: pointReader, now: new Date(), hasTexts: true };

/** By the name of a statement of intake, so that it locks the copy of the coordinator. */
const lockListing = { name: 'price-bands-lock', text: 'select from listings where id = any ($1::int8[]) for update' };

/** A listing in its current state. */
interface Offer {
  source: string;
  facts: ListingFacts;
}

interface Racers {
  /** Performs a random act of a buyer or a seller by the product's own operations. */
  anyOperation(): () => Promise<void>;
  /** The car of a listing; undefined after the listing was unseen for so long that it counts as another car. */
  vinOf(externalId: string): string | undefined;
  unexpected: unknown[];
}

export function makeRacers({ pool, orm, random, losesCommits }: RaceParts, world: World): Racers {
  const unexpected: unknown[] = [];
  const offers: Offer[] = [];
  const vins = new Map<string, string>();
  const abandoned = new Set<string>();
  const alerts: { id: number; userId: number }[] = [];
  let cars = 0;

  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const maybe = <T>(chance: number, value: () => T): T | null => (random() < chance ? value() : null);
  const price = () => 1_000 * (1 + Math.floor(random() * 12));
  const location = () => `${world.lat + pick([0, 0, 0.2, 0.6])} ${world.lng + pick([0, 0, 0.3])}`;
  const criteria = () => ({
    model: pick([null, ...world.models]),
    priceMax: pick([null, 10_000, price()]),
    priceMin: maybe(0.2, () => 2_000),
    yearMin: maybe(0.2, () => 2016),
    color: pick([null, null, 'red']),
    onlyWithImages: random() < 0.3,
    location: location(),
    radius: pick([25, 50]),
  });

  async function onAlert(act: (alert: { id: number; viewer: { id: number } }) => Promise<unknown>): Promise<void> {
    const alert = pick(alerts);
    if (!alert) return create();
    await act({ id: alert.id, viewer: { id: alert.userId } });
  }

  async function create(): Promise<void> {
    const userId = pick(world.userIds);
    const { id } = await createAlert(orm.em.fork(), deps, { id: userId }, { make: world.make, ...criteria() });
    alerts.push({ id, userId });
  }

  const update = (patch: () => object) => () =>
    onAlert(({ id, viewer }) => updateAlert(orm.em.fork(), deps, viewer, id, patch()));

  async function store(source: string, page: readonly ListingFacts[]): Promise<void> {
    await storeListings(
      pool,
      source,
      page.map((facts) => ({ facts })),
      { announce: true },
    );
  }

  function newOffer(): Offer {
    cars += 1;
    const source = pick(world.sources);
    const externalId = `${source}-${cars}`;
    const vin = `1RACE${String(world.number % 10_000).padStart(4, '0')}X${String(cars).padStart(7, '0')}`;
    vins.set(externalId, vin);
    const facts = buildFacts({
      externalId,
      vin,
      make: world.make,
      model: pick(world.models),
      year: pick([2014, 2018]),
      price: maybe(0.9, price),
      color: pick([null, 'red', 'blue']),
      images: random() < 0.7 ? ['https://photos.example/1.jpg'] : [],
      lat: world.lat + random() * 0.8,
      lng: world.lng + random() * 0.4,
    });
    return { source, facts };
  }

  async function list(): Promise<void> {
    const page = Array.from({ length: 1 + Math.floor(random() * 3) }, newOffer);
    for (const source of world.sources) {
      const own = page.filter((offer) => offer.source === source);
      if (own.length === 0) continue;
      await store(
        source,
        own.map(({ facts }) => facts),
      );
      offers.push(...own);
    }
  }

  async function change(changed: (facts: ListingFacts) => Partial<ListingFacts>): Promise<void> {
    const offer = pick(offers);
    if (!offer) return list();
    offer.facts = { ...offer.facts, ...changed(offer.facts) };
    await store(offer.source, [offer.facts]);
  }

  const reprice = () =>
    change(({ price: before }) => ({
      price: before !== null && random() < 0.5 ? Math.round(before * pick([0.9, 0.96])) : maybe(0.9, price),
      status: ListingStatus.forSale,
    }));
  /** The seller changes the price wherever the car is listed. */
  async function repriceEverywhere(): Promise<void> {
    const { vin } = pick(offers)?.facts ?? {};
    const [to, same] = [price(), offers.filter(({ facts }) => facts.vin === vin)];
    await Promise.all(
      same.map(async (offer) => {
        offer.facts = { ...offer.facts, price: to, status: ListingStatus.forSale };
        await store(offer.source, [offer.facts]);
      }),
    );
  }

  const sell = () => change(() => ({ status: pick([ListingStatus.sold, ListingStatus.pending]) }));

  /** Lists one car at both sources at the same time. */
  async function crosspost(): Promise<void> {
    const one = newOffer();
    const source = world.sources.find((name) => name !== one.source) ?? one.source;
    const externalId = `${one.facts.externalId}-too`;
    vins.set(externalId, one.facts.vin ?? '');
    const both = [one, { source, facts: { ...one.facts, externalId } }];
    await Promise.all(both.map((offer) => store(offer.source, [offer.facts])));
    offers.push(...both);
  }

  /** Lists the same car under another id, at its source or another one; the old listing is sold, or stays. */
  async function relist(): Promise<void> {
    const old = pick(offers);
    if (!old) return list();
    cars += 1;
    const source = pick(world.sources);
    const facts = {
      ...old.facts,
      externalId: `${source}-${cars}`,
      price: old.facts.price === null ? null : Math.round(old.facts.price * pick([1, 1, 0.97, 0.9])),
      status: ListingStatus.forSale,
    };
    vins.set(facts.externalId, facts.vin ?? '');
    if (random() < 0.3) {
      old.facts = { ...old.facts, status: ListingStatus.sold };
      await store(old.source, [old.facts]);
    }
    await store(source, [facts]);
    offers.push({ source, facts });
  }

  async function expire(): Promise<void> {
    const alert = pick(alerts);
    if (!alert) return create();
    const inMs = Math.floor(random() * 20);
    await pool.query(`update alerts set expires_at = now() + $3 * interval '1 ms' where id = $1 and user_id = $2`, [
      alert.id,
      alert.userId,
      inMs,
    ]);
  }

  /** Changes a listing by SQL as an operator may, once it is locked, as all writers do. @param settings SQL */
  async function changeLocked(id: number | undefined, settings: string): Promise<void> {
    if (id === undefined) return;
    await inTransaction(pool, async (client) => {
      await client.query({ ...lockListing, values: [[id]] });
      await client.query(`update listings set ${settings} where id = $1`, [id]);
    });
  }

  /** Ages the newest listings, so that no backfill includes them. */
  async function age(): Promise<void> {
    const { rows } = await pool.query<{ id: number }>(
      'select id from listings where source = $1 order by id desc limit 1',
      [pick(world.sources)],
    );
    await changeLocked(rows[0]?.id, `seen_at = now() - interval '20 days'`);
  }

  /** Ages a listing to 100 days unseen: it may be purged, and its car is not known when it is listed again. */
  async function abandon(): Promise<void> {
    const offer = pick(offers);
    if (!offer) return list();
    abandoned.add(offer.facts.vin ?? '');
    const { rows } = await pool.query<{ id: number }>(
      'select id from listings where source = $1 and external_id = $2',
      [offer.source, offer.facts.externalId],
    );
    await changeLocked(rows[0]?.id, `status = 'gone', missed_reads = 0, last_seen_at = now() - interval '100 days'`);
  }

  const operations: [number, () => Promise<void>][] = [
    [16, create],
    [14, update(criteria)],
    [9, update(() => ({ isActive: false }))],
    [12, update(() => ({ isActive: true }))],
    [5, () => onAlert(({ id, viewer }) => renewAlert(orm.em.fork(), viewer, id))],
    [6, () => onAlert(({ id, viewer }) => deleteAlert(orm.em.fork(), viewer, id))],
    [5, expire],
    [20, list],
    [14, reprice],
    [6, sell],
    [8, relist],
    [8, crosspost],
    [8, repriceEverywhere],
    [2, age],
    [4, abandon],
  ];
  const lots = operations.flatMap(([weight, operation]) => Array.from({ length: weight }, () => operation));

  function anyOperation(): () => Promise<void> {
    const chosen = pick(lots);
    return async () => {
      try {
        await chosen();
      } catch (error) {
        const told = databaseFault(error) ?? error;
        const codes = losesCommits ? [...rightful, 'UNAVAILABLE'] : rightful;
        if (!(told instanceof AppError && codes.includes(told.code))) unexpected.push(error);
      }
    };
  }

  function vinOf(externalId: string): string | undefined {
    const vin = vins.get(externalId);
    return vin === undefined || abandoned.has(vin) ? undefined : vin;
  }

  return { anyOperation, vinOf, unexpected };
}
