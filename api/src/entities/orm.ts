import 'reflect-metadata';
import { MikroORM, type Options, type PostgreSqlDriver } from '@mikro-orm/postgresql';
import {
  type connectionLimits,
  limitsFor,
  type Pool,
  statementTimeouts,
  typeParsers,
  watchConnections,
} from '../base/database.ts';
import { type DatabaseAddress, urlOf } from '../base/database-address.ts';
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
export type ConnectionSettings = Partial<ReturnType<typeof connectionLimits>> & {
  application_name?: string;
  /** How long a statement waits for a lock, in ms. */
  lock_timeout?: number;
  /** Is given the pool of the connections before one is made. */
  onPoolCreated?: (pool: Pool) => void;
};

export type Orm = ReturnType<typeof makeOrm>;

/**
 * @param address postgres://…, or a pooler; tables are named in snake_case, fields in camelCase
 * @param timeoutMs how long one statement may take
 * @param connection further settings of each connection
 * @param migrating what migrating-orm.ts adds
 */
export function makeOrm(
  address: DatabaseAddress,
  poolMax = 10,
  timeoutMs: number = statementTimeouts.request,
  connection: ConnectionSettings = {},
  migrating: Pick<Options, 'extensions' | 'migrations'> = {},
) {
  // Unlike `MikroORM.init`, it does not load the packages for migrations wherever they are installed.
  return new MikroORM({
    driver,
    clientUrl: urlOf(address),
    entities: [User, Plan, Alert, Listing, Source, DeletionRequest, ApiKey, Webhook],
    ...migrating,
    pool: { min: 0, max: poolMax },
    driverOptions: {
      application_name: 'lotwatch-entities',
      types: typeParsers,
      ...limitsFor(address, timeoutMs),
      ...connection,
      onPoolCreated(pool: Pool) {
        watchConnections(pool, address, timeoutMs);
        connection.onPoolCreated?.(pool);
      },
    },
    forceUtcTimezone: true,
    logger: () => {},
  });
}
