import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { connectionLimits } from '../../base/database.ts';
import { isConflict } from '../../base/database-fault.ts';
import { makeLog } from '../../base/log.ts';
import { refuseStandby } from '../../base/writable-server.ts';
import { type Migrations, makeMigratingOrm } from '../../entities/migrating-orm.ts';
import { readLayout } from '../../placement/prepare-layout.ts';
import { followCluster } from './follow-cluster.ts';
import { makeLockWait } from './lock-wait.ts';

/** The key of an advisory lock that is used only here. */
const MIGRATE_LOCK = 4_015_043;
/** A migration may read or rewrite a table of many millions of rows. */
const MIGRATION_MS = 6 * 3_600_000;
/** How long a stopped process holds the lock after its last statement. */
const SILENT_MS = 20_000;
/**
 * How long a statement waits for a lock, and with it every reader and writer that comes after it. Half of the time after
 * which the server looks for deadlocks, so that the migration gives way and no other transaction is ended.
 */
const LOCK_MS = 500;
/** How long the others go on before the next try: this long, or up to twice as long. */
const PAUSE_MS = 1_000;
/** After so much time of waiting for one lock the migration fails. */
const GIVE_UP_MS = 15 * 60_000;

const LOCK_NOT_AVAILABLE = '55P03';
/** The level at which migrations say how far they are. */
const PROGRESS = 'INFO';

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

const unavailable = (message: string): Error => Object.assign(new Error(message), { code: LOCK_NOT_AVAILABLE });

/** Takes the lock for a new connection. @throws Error with the code of a lock that is not available */
async function lockMigrations(client: pg.ClientBase): Promise<void> {
  await refuseStandby(client);
  const sql = 'select pg_try_advisory_lock($1) as ours';
  const { rows } = await client.query<{ ours: boolean }>(sql, [MIGRATE_LOCK]);
  if (!rows[0]?.ours) throw unavailable('Another process migrates the database.');
}

/**
 * Runs the migrations that have not run, one after another, while other processes read and write. One connection runs them
 * and holds a lock against other processes, which it loses together with what it does. A migration that does not get a lock
 * of a table in time gives way, and begins again.
 * @param lockMs how long a statement waits for a lock
 * @param log gets how far a long migration is
 * @param silentMs how long a stopped process holds the lock after its last statement
 * @param giveUpMs after how much time of waiting for one lock it fails
 * @param migrations those of this version
 * @returns the names of those that ran
 * @throws the error of a migration, or of the lock after 15 minutes
 */
export async function migrateDatabase(
  databaseUrl: string,
  {
    lockMs = LOCK_MS,
    silentMs = SILENT_MS,
    giveUpMs = GIVE_UP_MS,
    log = makeLog('migrate'),
    migrations = undefined as Migrations | undefined,
  } = {},
): Promise<string[]> {
  const { options } = connectionLimits(MIGRATION_MS);
  let isRunning = false;
  const wait = makeLockWait(() => performance.now());
  const orm = await makeMigratingOrm(
    databaseUrl,
    1,
    MIGRATION_MS,
    {
      application_name: 'lotwatch-migrate',
      lock_timeout: lockMs,
      options: `${options} -c idle_session_timeout=${silentMs}`,
      async onConnect(client) {
        // The rest of a migration must not run on another connection: meanwhile another process may have run it.
        if (isRunning) throw unavailable('The connection that held the lock was lost.');
        client.on('notice', ({ severity, message }) => {
          if (severity === PROGRESS) log.info(message ?? '');
        });
        await lockMigrations(client);
        const isWithin = (await readLayout(client)) === 'citus' ? await followCluster(client, lockMs) : () => false;
        // The ORM runs one statement at a time.
        client.on('drain', () => {
          if (!isWithin()) wait.endStatement();
        });
      },
    },
    migrations,
  );
  const done: string[] = [];
  orm.migrator.on('migrated', ({ name }) => {
    done.push(name);
    wait.endMigration();
  });
  const run = async () => {
    isRunning = false;
    wait.beginTry();
    // The try before may have ended while there was no limit.
    await orm.em.execute('reset lock_timeout');
    isRunning = true;
    await orm.migrator.up();
  };
  try {
    for (;;) {
      try {
        await run();
        return done;
      } catch (error) {
        if (codeOf(error) !== LOCK_NOT_AVAILABLE && !isConflict(error)) throw error;
        await sleep(PAUSE_MS * (1 + Math.random()));
        if (wait.refuse() > giveUpMs) throw error;
      }
    }
  } finally {
    await orm.close(true);
  }
}
