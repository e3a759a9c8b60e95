import { setTimeout as sleep } from 'node:timers/promises';
import { expireAlerts } from '../../src/alerts/expire-alerts.ts';
import { inTransaction, makePool, type Pool } from '../../src/base/database.ts';
import { isConflict } from '../../src/base/database-fault.ts';
import { silentLog } from '../../src/base/log.ts';
import { makes, modelsOf } from '../../src/domain/catalogue.ts';
import type { Gazetteer } from '../../src/domain/places/places.ts';
import { purgeListings } from '../../src/intake/purge-listings.ts';
import { matchPendingAlerts } from '../../src/matching/match-alerts.ts';
import { matchPendingListings } from '../../src/matching/match-listings.ts';
import { makeEmailEngine } from '../../src/notify/channels/email/email.ts';
import { followChosenLayout } from '../../src/placement/follow-layout.ts';
import { isDistributed } from '../../src/placement/layout.ts';
import type { Mailer, OutgoingMail } from '../../src/vendors/mail.ts';

/** How many active alerts a user may have. */
export const ALERT_LIMIT = 3;
const ELITE = 4;

/** A few users with a make and a town of their own, so that concurrent worlds never meet. */
export interface World {
  number: number;
  make: string;
  models: readonly string[];
  lat: number;
  lng: number;
  userIds: readonly number[];
  sources: readonly [string, string];
}

/** Reads a place that is written as its latitude and longitude. */
export const pointReader: Gazetteer = {
  resolve(text) {
    const [lat = 0, lng = 0] = text.split(' ').map(Number);
    return { name: text, state: 'CA', zip: null, lat, lng, population: 1, label: text };
  },
  named: () => null,
  suggest: () => [],
};

const raceMakes = makes.map(({ value }) => value).filter((make) => modelsOf(make).length >= 3);
const TOWNS_EAST = 9;
const TOWN_APART = 5;

export async function makeWorld(pool: Pool, number: number): Promise<World> {
  const make = raceMakes[number % raceMakes.length] ?? 'toyota';
  const town = Math.floor(number / raceMakes.length);
  const { rows } = await pool.query<{ id: number }>(
    `insert into users (username, email, email_confirmed_at, password_hash, plan_id)
     select 'racer-' || $1 || '-' || n, 'racer-' || $1 || '-' || n || '@example.test', now(), '', ${ELITE}
       from generate_series(1, 2) n returning id`,
    [number],
  );
  return {
    number,
    make,
    models: modelsOf(make)
      .slice(0, 2)
      .map(({ value }) => value),
    lat: 26 + (Math.floor(town / TOWNS_EAST) % 5) * TOWN_APART,
    lng: -120 + (town % TOWNS_EAST) * TOWN_APART,
    userIds: rows.map(({ id }) => id),
    sources: [`race-${number}`, `race-${number}-b`],
  };
}

/** The plan of the racers, with a limit that they meet. */
export async function seedRacePlan(pool: Pool): Promise<void> {
  await pool.query(
    `insert into plans (id, name, description, price, alert_limit, is_popular, features)
     values (${ELITE}, 'Elite', '', 69.99, $1, false, '{}') on conflict (id) do update set alert_limit = $1`,
    [ALERT_LIMIT],
  );
}

interface Workers {
  /** Delivered mails, by alert. */
  mailsOf(alertId: number): readonly OutgoingMail[];
  broken: unknown[];
  /** How often work was ended because of concurrent work on a cluster, and done again. */
  conflicts: number;
  stop(): Promise<void>;
}

/** On a cluster, a look for work asks each shard, and would leave no processor time for the work. */
const idleMs = () => (isDistributed() ? 250 : 3);
const SITE = {
  publicUrl: 'http://localhost:4000',
  secret: 'races'.repeat(8),
  supportEmail: 'help@example.test',
  marketplaceHome: 'https://market.example',
};

/** Runs two searches of either kind, two senders, expiry and the purge of old listings without a pause, like two workers. */
export function startWorkers(url: string): Workers {
  const pools = [makePool(url, 6, 'race-worker'), makePool(url, 10, 'race-sender')] as const;
  const [worker, sender] = pools;
  pools.forEach(followChosenLayout);
  const broken: unknown[] = [];
  let conflicts = 0;
  const mails = new Map<number, OutgoingMail[]>();
  let over = false;

  async function go(work: () => Promise<number>): Promise<void> {
    while (!over) {
      const done = await work().catch((error: unknown) => {
        if (isDistributed() && isConflict(error)) conflicts += 1;
        else broken.push(error);
        return 0;
      });
      if (done === 0) await sleep(idleMs());
    }
  }

  const mailer: Mailer = {
    async send(mail) {
      const alertId = mail.alertId ?? 0;
      const known = mails.get(alertId);
      if (known) known.push(mail);
      else mails.set(alertId, [mail]);
    },
    wasSent: async (id) => [...mails.values()].some((sent) => sent.some((mail) => mail.id === id)),
  };
  const log = {
    ...silentLog,
    error(_message: string, data?: Record<string, unknown>) {
      broken.push(data?.error ?? data);
    },
  };
  const makeSender = () => {
    const engine = makeEmailEngine({ ...SITE, pool: sender, mailer, log, confirmEmail: true, workers: 3 });
    return async () => {
      const { sent, dropped } = await engine.drain();
      return sent + dropped;
    };
  };
  const loops = [
    go(() => matchPendingListings(worker, 6)),
    go(() => matchPendingListings(worker, 6)),
    go(() => matchPendingAlerts(worker, 4)),
    go(() => matchPendingAlerts(worker, 4)),
    go(makeSender()),
    go(makeSender()),
    go(async () => (await expireAlerts(worker)).length),
    go(async () => (await inTransaction(worker, (client) => purgeListings(client))).removed),
  ];
  return {
    mailsOf: (alertId) => mails.get(alertId) ?? [],
    broken,
    get conflicts() {
      return conflicts;
    },
    async stop() {
      over = true;
      await Promise.all(loops);
      await Promise.all(pools.map((pool) => pool.end()));
    },
  };
}
