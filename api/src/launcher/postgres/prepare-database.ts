import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { seedAdmin } from '../../accounts/seed-admin.ts';
import { inTransaction, limitIdleTime, makePool, type Pool, type Queryable } from '../../base/database.ts';
import { seedPlans } from '../../billing/plans.ts';
import { removeLocalRows } from '../../placement/distribute-tables.ts';
import type { Layout } from '../../placement/layout.ts';
import {
  prepareLayout,
  readLayout,
  requireOwnerConnection,
  requireSameLayout,
} from '../../placement/prepare-layout.ts';
import { grantToApp, readRole } from './app-role.ts';

/** The key of an advisory lock that is used only here. */
const PREPARE_LOCK = 4_015_042;
/** How long a stopped process holds the lock. */
const SILENT_MS = 20_000;

export interface Prepared {
  /** The names of the migrations that ran now. */
  migrations: string[];
  /** The admin's password if the admin was created now. */
  adminPassword: string | null;
}

/** Whether every migration has run; then the ORM, which takes a second to load, is not needed. */
export async function isMigrated(db: Queryable): Promise<boolean> {
  const files = readdirSync(new URL('../../../migrations', import.meta.url)).filter((name) =>
    /^\d{3}-.*\.ts$/.test(name),
  );
  const { rows } = await db.query<{ there: boolean }>("select to_regclass('migrations') is not null as there");
  if (!rows[0]?.there) return false;
  const ran = await db.query<{ name: string }>('select name from migrations');
  const names = new Set(ran.rows.map(({ name }) => name));
  return files.every((name) => names.has(name.replace(/\.ts$/, '')));
}

/** Checks that the role may change the schema. @throws Error */
async function requireOwner(db: Queryable): Promise<void> {
  const { rows } = await db.query<{ owns: boolean }>(
    `select coalesce((select pg_has_role(relowner, 'usage') from pg_class where oid = to_regclass('users')),
                     has_schema_privilege(current_schema(), 'create')) as owns`,
  );
  if (rows[0]?.owns) return;
  throw new Error(
    "This version needs another state of the tables, and the role of DATABASE_URL can't bring it about. " +
      'Set DATABASE_OWNER_URL to the address of the role that owns them: api/docs/database-roles.md says more.',
  );
}

async function migrate(databaseUrl: string): Promise<string[]> {
  const { migrateDatabase } = await import('./migrate.ts');
  return migrateDatabase(databaseUrl);
}

/** Without a parameter: a statement with one would keep its snapshot until the next statement of the transaction. */
async function isOurs(client: Queryable): Promise<boolean> {
  const sql = `select pg_try_advisory_xact_lock(${PREPARE_LOCK}) as ours`;
  const { rows } = await client.query<{ ours: boolean }>(sql);
  return rows[0]?.ours ?? false;
}

/** How often a process that waits for the lock asks for it. */
const ASK_MS = 200;

/**
 * Runs `work` while no other process does. A transaction that does nothing else holds the lock and sends heartbeats: a
 * stopped process loses the lock. Who waits asks again and again, since an index that the holder builds concurrently waits
 * for every other session's snapshot, and a statement that waited for the lock would have one.
 */
export function withPrepareLock<T>(pool: Pool, work: () => Promise<T>, silentMs = SILENT_MS): Promise<T> {
  const locked = async (client: Queryable) => {
    while (!(await isOurs(client))) await sleep(ASK_MS);
    const heartbeat = setInterval(() => void client.query('select 1').catch(() => {}), silentMs / 4);
    return work().finally(() => clearInterval(heartbeat));
  };
  return inTransaction(pool, locked, `begin; ${limitIdleTime(silentMs)}`);
}

/**
 * Migrates the database, distributes its tables if it is new and they are to be, and creates the plans and the admin. Processes that start together run it one after another.
 * @param ownerUrl the address for the role that owns the tables
 * @param appUrl the address for another role, which gets the application's privileges
 * @param isStrict true in production, where a weak password of the admin is refused
 * @param layout how the tables are to lie, if that is asked for
 */
export async function prepareDatabase(
  ownerUrl: string,
  adminPassword: string | undefined,
  appUrl?: string,
  isStrict = false,
  layout?: Layout,
): Promise<Prepared> {
  const pool = makePool(ownerUrl, 2, 'lotwatch-prepare');
  try {
    return await withPrepareLock(pool, async () => {
      const kept = await readLayout(pool);
      requireSameLayout(kept, layout);
      requireOwnerConnection(kept, { DATABASE_OWNER_URL: appUrl !== undefined });
      // Where distributing them was interrupted: a migration would check these rows.
      if (kept === 'citus') await removeLocalRows(pool);
      const isUpToDate = await isMigrated(pool);
      const migrations = isUpToDate ? [] : await requireOwner(pool).then(() => migrate(ownerUrl));
      await prepareLayout(pool, layout);
      if (appUrl !== undefined) await grantToApp(pool, await readRole(appUrl));
      await seedPlans(pool);
      return { migrations, adminPassword: await seedAdmin(pool, adminPassword, isStrict) };
    });
  } finally {
    await pool.end();
  }
}
