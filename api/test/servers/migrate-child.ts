import { migrateDatabase } from '../../src/launcher/postgres/migrate.ts';

/** Migrates a database, and exits with 1 if it fails. */
const [url = '', silentMs = '0'] = process.argv.slice(2);
await migrateDatabase(url, { silentMs: Number(silentMs) }).catch(() => process.exit(1));
process.exit(0);
