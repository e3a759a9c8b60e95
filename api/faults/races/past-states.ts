import pg from 'pg';
import { rowsOfServers } from '../../lab/server-triggers.ts';
import type { Pool } from '../../src/base/database.ts';
import type { TestAlert, TestListing } from '../../test/matching/match-rows.ts';
import type { World } from './race-workers.ts';

/** A time in milliseconds by the database's clock, read while its transaction committed. */
type Time = number;

interface State {
  seq: number;
  from: Time;
  /** When the next state began. */
  until: Time;
  gone: boolean;
}

export interface AlertState extends State, TestAlert {
  userId: number;
  version: number;
  /** Whether it was active; it watches until `expiresAt`. */
  isActive: boolean;
  expiresAt: Time;
}

export interface ListingState extends State, TestListing {
  externalId: string;
  forSale: boolean;
}

/** Every state of every alert and listing of a world, oldest first, by id. */
export interface Past {
  alerts: Map<number, AlertState[]>;
  listings: Map<number, ListingState[]>;
}

interface Noted {
  seq: number;
  at: Time;
  id: number;
  gone: boolean;
}

interface NotedAlert extends Noted {
  kind: 'alert';
  state: Pick<AlertState, 'make' | 'model' | 'color' | 'lat' | 'lng' | 'radius' | 'version'> & {
    user_id: number;
    is_active: boolean;
    expires_at: string;
    year_min: number | null;
    year_max: number | null;
    price_min: number | null;
    price_max: number | null;
    only_with_images: boolean;
  };
}

interface NotedListing extends Noted {
  kind: 'listing';
  state: Pick<ListingState, 'make' | 'model' | 'year' | 'price' | 'color' | 'lat' | 'lng'> & {
    external_id: string;
    status: string;
    image_url: string | null;
  };
}

function alertState({ state }: NotedAlert): Omit<AlertState, keyof State> {
  const { make, model, color, lat, lng, radius, version } = state;
  return {
    ...{ make, model, color, lat, lng, radius, version },
    userId: state.user_id,
    isActive: state.is_active,
    expiresAt: Date.parse(state.expires_at),
    yearMin: state.year_min,
    yearMax: state.year_max,
    priceMin: state.price_min,
    priceMax: state.price_max,
    onlyWithImages: state.only_with_images,
  };
}

function listingState({ state }: NotedListing): Omit<ListingState, keyof State> {
  const { make, model, year, price, color, lat, lng } = state;
  return {
    ...{ make, model, year, price, color, lat, lng },
    externalId: state.external_id,
    forSale: state.status === 'for_sale',
    imageUrl: state.image_url,
  };
}

/** Adds the next state of a record; a deleted record keeps its last facts. */
function append<S extends State>(states: Map<number, S[]>, row: Noted, read: () => Omit<S, keyof State>): void {
  const known = states.get(row.id) ?? [];
  const last = known.at(-1);
  if (last) last.until = row.at;
  const { seq, gone } = row;
  const common: State = { seq, from: row.at, until: Number.POSITIVE_INFINITY, gone };
  known.push({ ...(gone && last ? last : read()), ...common } as S);
  states.set(row.id, known);
}

/** Reads a world's history. Each call reads all of it, as a state with a lower number may be committed later. */
export function makePastReader(pool: Pool, world: World): () => Promise<Past> {
  const owners = [...world.userIds.map(String), ...world.sources].map((owner) => pg.escapeLiteral(owner)).join(', ');
  return async () => {
    const past: Past = { alerts: new Map(), listings: new Map() };
    const rows = await rowsOfServers<NotedAlert | NotedListing>(
      pool,
      `select seq, extract(epoch from at)::float8 * 1000 as at, kind, id, gone, state
         from race_history where owner in (${owners}) order by seq`,
    );
    for (const row of rows) {
      if (row.kind === 'alert') append(past.alerts, row, () => alertState(row));
      else append(past.listings, row, () => listingState(row));
    }
    return past;
  };
}

/** Whether the alert watched at some time in the span. */
export function watchedIn(state: AlertState, from: Time, until: Time): boolean {
  return !state.gone && state.isActive && state.from <= until && Math.min(state.until, state.expiresAt) >= from;
}
