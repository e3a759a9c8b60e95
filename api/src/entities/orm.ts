import 'reflect-metadata';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM, type PostgreSqlDriver } from '@mikro-orm/postgresql';
import { Migration001Start } from '../../migrations/001-start.ts';
import { Migration002FeedSnapshots } from '../../migrations/002-feed-snapshots.ts';
import { Migration003SameCar } from '../../migrations/003-same-car.ts';
import { Migration004SourceHealth } from '../../migrations/004-source-health.ts';
import { Migration005SameCarNewest } from '../../migrations/005-same-car-newest.ts';
import { Migration006HotTables } from '../../migrations/006-hot-tables.ts';
import { Migration010OldListings } from '../../migrations/010-old-listings.ts';
import { Migration012Rights } from '../../migrations/012-rights.ts';
import { Migration013ContactMessages } from '../../migrations/013-contact-messages.ts';
import { Migration014IdempotencyKeys } from '../../migrations/014-idempotency-keys.ts';
import { Migration015Billing } from '../../migrations/015-billing.ts';
import { Migration016TextMessages } from '../../migrations/016-text-messages.ts';
import { Migration017ApiKeys } from '../../migrations/017-api-keys.ts';
import { Migration018Webhooks } from '../../migrations/018-webhooks.ts';
import { Migration019WebhookLog } from '../../migrations/019-webhook-log.ts';
import { Migration020CustomerAddress } from '../../migrations/020-customer-address.ts';
import { Migration021Positions } from '../../migrations/021-positions.ts';
import { Migration022Leases } from '../../migrations/022-leases.ts';
import { Migration023EndedSources } from '../../migrations/023-ended-sources.ts';
import { Migration024UnseenSince } from '../../migrations/024-unseen-since.ts';
import { Migration025SharedLimits } from '../../migrations/025-shared-limits.ts';
import { Migration027CleanUp } from '../../migrations/027-clean-up.ts';
import { Migration028LookBackTimes } from '../../migrations/028-look-back-times.ts';
import { Migration029AuditLog } from '../../migrations/029-audit-log.ts';
import { Migration030Devices } from '../../migrations/030-devices.ts';
import { Migration031IdleAccounts } from '../../migrations/031-idle-accounts.ts';
import { Migration032FirstPassword } from '../../migrations/032-first-password.ts';
import { Migration033AdminSessions } from '../../migrations/033-admin-sessions.ts';
import { Migration034SourceHeaders } from '../../migrations/034-source-headers.ts';
import { Migration035PendingEmails } from '../../migrations/035-pending-emails.ts';
import { Migration036MailCounts } from '../../migrations/036-mail-counts.ts';
import { Migration037SecondFactors } from '../../migrations/037-second-factors.ts';
import { Migration038PlainNames } from '../../migrations/038-plain-names.ts';
import { Migration039JobNames } from '../../migrations/039-job-names.ts';
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

export type Orm = Awaited<ReturnType<typeof makeOrm>>;

/**
 * @param databaseUrl postgres://…; tables are named in snake_case, fields in camelCase
 * @param timeoutMs how long one statement may take
 */
export function makeOrm(databaseUrl: string, poolMax = 10, timeoutMs: number = statementTimeouts.request) {
  return MikroORM.init({
    driver,
    clientUrl: databaseUrl,
    entities: [User, Plan, Alert, Listing, Source, DeletionRequest, ApiKey, Webhook],
    extensions: [Migrator],
    migrations: {
      tableName: 'migrations',
      snapshot: false,
      migrationsList: [
        { name: '001-start', class: Migration001Start },
        { name: '002-feed-snapshots', class: Migration002FeedSnapshots },
        { name: '003-same-car', class: Migration003SameCar },
        { name: '004-source-health', class: Migration004SourceHealth },
        { name: '005-same-car-newest', class: Migration005SameCarNewest },
        { name: '006-hot-tables', class: Migration006HotTables },
        { name: '010-old-listings', class: Migration010OldListings },
        { name: '012-rights', class: Migration012Rights },
        { name: '013-contact-messages', class: Migration013ContactMessages },
        { name: '014-idempotency-keys', class: Migration014IdempotencyKeys },
        { name: '015-billing', class: Migration015Billing },
        { name: '016-text-messages', class: Migration016TextMessages },
        { name: '017-api-keys', class: Migration017ApiKeys },
        { name: '018-webhooks', class: Migration018Webhooks },
        { name: '019-webhook-log', class: Migration019WebhookLog },
        { name: '020-customer-address', class: Migration020CustomerAddress },
        { name: '021-positions', class: Migration021Positions },
        { name: '022-leases', class: Migration022Leases },
        { name: '023-ended-sources', class: Migration023EndedSources },
        { name: '024-unseen-since', class: Migration024UnseenSince },
        { name: '025-shared-limits', class: Migration025SharedLimits },
        { name: '027-clean-up', class: Migration027CleanUp },
        { name: '028-look-back-times', class: Migration028LookBackTimes },
        { name: '029-audit-log', class: Migration029AuditLog },
        { name: '030-devices', class: Migration030Devices },
        { name: '031-idle-accounts', class: Migration031IdleAccounts },
        { name: '032-first-password', class: Migration032FirstPassword },
        { name: '033-admin-sessions', class: Migration033AdminSessions },
        { name: '034-source-headers', class: Migration034SourceHeaders },
        { name: '035-pending-emails', class: Migration035PendingEmails },
        { name: '036-mail-counts', class: Migration036MailCounts },
        { name: '037-second-factors', class: Migration037SecondFactors },
        { name: '038-plain-names', class: Migration038PlainNames },
        { name: '039-job-names', class: Migration039JobNames },
      ],
    },
    pool: { min: 0, max: poolMax },
    driverOptions: {
      application_name: 'lotwatch-entities',
      types: typeParsers,
      ...connectionLimits(timeoutMs),
      onPoolCreated: (pool: Pool) => watchConnections(pool, timeoutMs),
    },
    forceUtcTimezone: true,
    logger: () => {},
  });
}
