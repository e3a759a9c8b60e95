import 'reflect-metadata';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM, type PostgreSqlDriver } from '@mikro-orm/postgresql';
import { allMigrations } from '../../migrations/all-migrations.ts';
import { connectionLimits, type Pool, statementTimeouts, typeParsers, watchConnections } from '../base/database.ts';
import { Alert } from './alert.ts';
import { ApiKey } from './api-key.ts';
import { BindingDriver } from './binding-driver.ts';
import { DeletionRequest } from './deletion-request.ts';
import { Listing } from './listing.ts';
import { Plan } from './plan.ts';
import { Source } from './source.ts';
import { User } from './user.ts';
import { Webhook } from './webhook.ts';

/** Typed as the ORM's own driver, so that its entity managers have the usual type. */
const driver: typeof PostgreSqlDriver = BindingDriver;

/** Settings of each connection beyond those of `connectionLimits`. */
type ConnectionSettings = Partial<ReturnType<typeof connectionLimits>> & {
  application_name?: string;
  /** How long a statement waits for a lock, in ms. */
  lock_timeout?: number;
};

export type Orm = Awaited<ReturnType<typeof makeOrm>>;

/**
 * @param databaseUrl postgres://…; tables are named in snake_case, fields in camelCase
 * @param timeoutMs how long one statement may take
 * @param connection further settings of each connection
 */
export function makeOrm(
  databaseUrl: string,
  poolMax = 10,
  timeoutMs: number = statementTimeouts.request,
  connection: ConnectionSettings = {},
) {
  return MikroORM.init({
    driver,
    clientUrl: databaseUrl,
    entities: [User, Plan, Alert, Listing, Source, DeletionRequest, ApiKey, Webhook],
    extensions: [Migrator],
    migrations: {
      tableName: 'migrations',
      snapshot: false,
      migrationsList: allMigrations,
      // A lock of one migration must not be held while the next one waits for its own.
      allOrNothing: false,
    },
    pool: { min: 0, max: poolMax },
    driverOptions: {
      application_name: 'lotwatch-entities',
      types: typeParsers,
      ...connectionLimits(timeoutMs),
      ...connection,
      onPoolCreated: (pool: Pool) => watchConnections(pool, timeoutMs),
    },
    forceUtcTimezone: true,
    logger: () => {},
  });
}
