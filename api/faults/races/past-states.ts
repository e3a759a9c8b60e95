import type { Pool } from '../../src/base/database.ts';
import type { TestAlert, TestListing } from '../../test/matching/match-rows.ts';
import type { World } from './race-workers.ts';

/**
 * Records every state of an alert or listing as its transaction commits, whichever process writes it. Mails are due at
 * once, but some of them late enough for a deactivation to come before.
 */
const historySql = `
  create table race_history (
    seq int8 generated always as identity primary key,
    at timestamptz not null default clock_timestamp(),
    kind text not null,
    owner text not null,
    id int8 not null,
    gone bool not null,
    state jsonb not null
  );
  create index race_history_owner on race_history (owner, seq);

  create function note_alert() returns trigger language plpgsql as $$
  begin
    if tg_op = 'DELETE' then
      insert into race_history (kind, owner, id, gone, state) values ('alert', old.user_id, old.id, true, '{}');
    else
      insert into race_history (kind, owner, id, gone, state) values ('alert', new.user_id, new.id, false, to_jsonb(new));
    end if;
    return null;
  end $$;
  create constraint trigger race_note_new after insert or delete on alerts
    deferrable initially deferred for each row execute function note_alert();
  create constraint trigger race_note after update on alerts deferrable initially deferred for each row
    when ((old.make, old.model, old.year_min, old.year_max, old.lat, old.lng, old.radius, old.price_min, old.price_max,
           old.color, old.only_with_images, old.is_active, old.expires_at, old.version)
          is distinct from
          (new.make, new.model, new.year_min, new.year_max, new.lat, new.lng, new.radius, new.price_min, new.price_max,
           new.color, new.only_with_images, new.is_active, new.expires_at, new.version))
    execute function note_alert();

  create function note_listing() returns trigger language plpgsql as $$
  begin
    if tg_op = 'DELETE' then
      insert into race_history (kind, owner, id, gone, state) values ('listing', old.source, old.id, true, '{}');
    else
      insert into race_history (kind, owner, id, gone, state)
      values ('listing', new.source, new.id, false, to_jsonb(new) - 'images');
    end if;
    return null;
  end $$;
  create constraint trigger race_note_new after insert or delete on listings
    deferrable initially deferred for each row execute function note_listing();
  create constraint trigger race_note after update on listings deferrable initially deferred for each row
    when ((old.make, old.model, old.year, old.price, old.color, old.image_url, old.lat, old.lng, old.status)
          is distinct from
          (new.make, new.model, new.year, new.price, new.color, new.image_url, new.lat, new.lng, new.status))
    execute function note_listing();

  create function hurry_notification() returns trigger language plpgsql as $$
  begin
    if tg_op = 'INSERT' then
      new.created_at = now() - interval '1 hour';
      new.due_at = now() + case when random() < 0.12 then interval '2500 ms' else interval '0' end;
    elsif new.status = 'waiting' and new.due_at > now() + interval '40 ms' and new.due_at <> old.due_at then
      new.due_at = now() + interval '40 ms';
    end if;
    return new;
  end $$;
  create trigger race_hurry before insert or update on notifications
    for each row execute function hurry_notification();

  create function clear_throttle() returns trigger language plpgsql as $$
  begin
    new.last_mailed_at = null;
    return new;
  end $$;
  create trigger race_throttle before update on alerts
    for each row when (new.last_mailed_at is not null) execute function clear_throttle();
`;

export async function keepHistory(pool: Pool): Promise<void> {
  await pool.query(historySql);
}

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

/** Reads a world's history; each call continues where the last one ended. */
export function makePastReader(pool: Pool, world: World): () => Promise<Past> {
  const past: Past = { alerts: new Map(), listings: new Map() };
  const owners = [...world.userIds.map(String), ...world.sources];
  const seen = new Map(owners.map((owner) => [owner, 0]));
  return async () => {
    const { rows } = await pool.query<(NotedAlert | NotedListing) & { owner: string }>(
      `select h.seq, extract(epoch from h.at)::float8 * 1000 as at, h.kind, h.owner, h.id, h.gone, h.state
         from unnest($1::text[], $2::int8[]) as o (owner, seq)
         join race_history h on h.owner = o.owner and h.seq > o.seq order by h.seq`,
      [owners, owners.map((owner) => seen.get(owner) ?? 0)],
    );
    for (const row of rows) {
      seen.set(row.owner, row.seq);
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
