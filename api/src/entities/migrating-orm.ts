import { Migrator } from '@mikro-orm/migrations';
import { allMigrations } from '../../migrations/all-migrations.ts';
import { statementTimeouts } from '../base/database.ts';
import { type ConnectionSettings, makeOrm } from './orm.ts';

export type Migrations = typeof allMigrations;

/** Makes the ORM with its migrator. API and worker do without the code of the migrations. */
export function makeMigratingOrm(
  databaseUrl: string,
  poolMax = 10,
  timeoutMs: number = statementTimeouts.request,
  connection: ConnectionSettings = {},
  migrations: Migrations = allMigrations,
) {
  return makeOrm(databaseUrl, poolMax, timeoutMs, connection, {
    extensions: [Migrator],
    migrations: {
      tableName: 'migrations',
      snapshot: false,
      migrationsList: migrations,
      // A lock of one migration must not be held while the next one waits for its own.
      allOrNothing: false,
    },
  });
}
