import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../lab/temporary-folder.ts';
import { seedAdmin } from '../../src/accounts/seed-admin.ts';
import { freePort } from '../../src/base/free-port.ts';
import { seedPlans } from '../../src/billing/plans.ts';
import { startEmbeddedPostgres } from '../../src/launcher/postgres/embedded-postgres.ts';
import { openDatabase, type TestDatabase } from '../database.ts';
import { ADMIN_PASSWORD } from '../make-app.ts';

export interface LoggedDatabase extends TestDatabase {
  /** What the server has written to its log so far. */
  lines: string[];
}

/** A PostgreSQL server with the product's privacy settings, on which the operator logs every statement. */
export async function startLoggedDatabase(): Promise<LoggedDatabase> {
  const folder = makeTemporaryFolder();
  const lines: string[] = [];
  const server = await startEmbeddedPostgres({
    dir: join(folder, 'postgres'),
    port: await freePort(),
    durable: false,
    // As an operator who looks for slow statements would set it.
    extraOptions: ['log_min_duration_statement=0', 'log_statement=all', 'log_lock_waits=on', 'deadlock_timeout=10ms'],
    onLine: (line) => lines.push(line),
  });
  const db = await openDatabase(server.url);
  await db.orm.migrator.up();
  await seedPlans(db.pool);
  await seedAdmin(db.pool, ADMIN_PASSWORD);
  await db.pool.query('update plans set alert_limit = 10 where id = 1');
  return {
    ...db,
    lines,
    async close() {
      await db.close();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
