import { progress } from '../../lab/command-line.ts';
import type { ThrowAway } from '../../lab/throw-away.ts';
import { type Client, inTransaction } from '../../src/base/database.ts';
import { alertKeys, alertSearch } from '../../src/domain/criteria/search-columns.ts';
import type { TestAlert } from '../../test/matching/match-rows.ts';
import { arrayOf, beginLoad, copyRows, withoutIndexes } from './copy-rows.ts';

const ELITE = 4;

/** Creates users on the largest plan with confirmed addresses `user1@example.test` …, ids from 1 on. */
async function loadUsers(client: Client, count: number): Promise<void> {
  await client.query(
    `insert into users (id, username, email, email_confirmed_at, password_hash, plan_id) overriding system value
     select n, 'user' || n, 'user' || n || '@example.test', now(), '', ${ELITE} from generate_series(1, $1::int) n`,
    [count],
  );
  await client.query("select setval(pg_get_serial_sequence('users', 'id'), $1)", [count]);
}

/** Alerts that may be made one after another, as millions of them would not fit into memory. */
export interface Alerts extends Iterable<TestAlert> {
  length: number;
}

/** An alert whose id is `id`. */
interface Numbered {
  id: number;
  alert: TestAlert;
}

const ALERTS_A_COPY = 100_000;

function* copiesOf(alerts: Alerts): Generator<Numbered[]> {
  let id = 0;
  let some: Numbered[] = [];
  for (const alert of alerts) {
    id += 1;
    some.push({ id, alert });
    if (some.length < ALERTS_A_COPY) continue;
    yield some;
    some = [];
  }
  if (some.length > 0) yield some;
}

const alertColumns =
  'id user_id make model models year_min year_max location place lat lng radius price_min price_max color only_with_images exclude_words require_words price_stated pending_match expires_at'.split(
    ' ',
  );

function* alertRows(alerts: readonly Numbered[], perUser: number, expiresAt: string) {
  for (const { id, alert } of alerts) {
    yield [
      ...[id, Math.floor((id - 1) / perUser) + 1, alert.make, alert.model, arrayOf(alert.models), alert.yearMin],
      ...[alert.yearMax, '', '', alert.lat, alert.lng, alert.radius, alert.priceMin, alert.priceMax, alert.color],
      ...[alert.onlyWithImages, arrayOf(alert.excludeWords), arrayOf(alert.requireWords), alert.priceStated, false],
      expiresAt,
    ];
  }
}

const cellColumns =
  'key price_max alert_id alert_version user_id price_min year_min year_max color only_images announces x y z cos_radius expires_at asked mileage_max conditions'.split(
    ' ',
  );

function* cellRows(alerts: readonly Numbered[], perUser: number, expiresAt: string) {
  for (const { id, alert } of alerts) {
    const search = alertSearch(alert);
    const row = [
      ...[search.priceMax, id, 1, Math.floor((id - 1) / perUser) + 1, search.priceMin, search.yearMin, search.yearMax],
      ...[search.color, search.onlyImages, true, search.x, search.y, search.z, search.cosRadius, expiresAt],
      ...[search.asked, search.mileageMax, search.conditions],
    ].join('\t');
    for (const key of alertKeys(alert)) yield [key, row];
  }
}

const DAYS = 42;
const DAY_MS = 86_400_000;

async function copyAlerts(client: Client, folder: string, alerts: Alerts, perUser: number): Promise<void> {
  const expiresAt = new Date(Date.now() + DAYS * DAY_MS).toISOString();
  let copying: Promise<unknown> = Promise.resolve();
  let copied = 0;
  // The server copies some while the next ones are made.
  for (const some of copiesOf(alerts)) {
    const copies = Promise.all([
      copyRows(client, folder, 'alerts', {
        columns: alertColumns,
        rows: alertRows(some, perUser, expiresAt),
        isNew: true,
      }),
      copyRows(client, folder, 'alert_cells', {
        columns: cellColumns,
        rows: cellRows(some, perUser, expiresAt),
        isNew: true,
      }),
    ]);
    copies.catch(() => {});
    await copying;
    copying = copies;
    copied += some.length;
    if (copied % (10 * ALERTS_A_COPY) === 0) progress(`${copied} alerts are made`);
  }
  await copying;
}

/**
 * Stores active alerts with their cells, ids from 1 on in their order, `perUser` for each user; none waits to be
 * matched. The tables must be empty. Indexes are made afterwards.
 */
export async function loadAlerts(
  { pool, folder }: Pick<ThrowAway, 'pool' | 'folder'>,
  alerts: Alerts,
  { perUser = 10 } = {},
): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query(beginLoad);
    await loadUsers(client, Math.ceil(alerts.length / perUser));
    await client.query('truncate alerts, alert_cells');
    // Without the triggers that serve only apis of an older version.
    await client.query('set local session_replication_role = replica');
    await withoutIndexes(client, 'alerts', () =>
      withoutIndexes(client, 'alert_cells', () => copyAlerts(client, folder, alerts, perUser)),
    );
    await client.query("select setval(pg_get_serial_sequence('alerts', 'id'), $1)", [alerts.length]);
  });
  await pool.query('vacuum analyze alerts, alert_cells, users');
}

/** Loads the index of searches into memory, where it is on a server that has run for a while. */
export async function warmSearch({ pool }: Pick<ThrowAway, 'pool'>): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query('set local enable_seqscan = off; set local max_parallel_workers_per_gather = 0');
    await client.query('select sum(price_max) from alert_cells where key > 0');
  });
}
