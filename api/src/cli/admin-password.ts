import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { hashPassword } from '../accounts/passwords.ts';
import { checkAdminPassword, setAdminPassword } from '../accounts/seed-admin.ts';
import { inTransaction, type Pool } from '../base/database.ts';
import { freePort } from '../base/free-port.ts';
import { readSettings, type Settings, SettingsError } from '../base/settings/settings.ts';
import { deleteLoginCounters } from '../http/limits/limit-keys.ts';
import { FolderInUse, lockFolder, makeDataFolder } from '../launcher/data-folder.ts';
import { startEmbeddedPostgres } from '../launcher/postgres/embedded-postgres.ts';
import { ADMIN_ID } from '../policies/admin.ts';
import { openPool } from './open-database.ts';

interface Database {
  url: string;
  close(): Promise<void>;
}

/** Finds the database of the running LotWatch, or starts its embedded server for the duration of the command. */
async function findDatabase(settings: Settings): Promise<Database> {
  const url = settings.databaseDirectUrl ?? settings.databaseUrl;
  if (url !== undefined) return { url, close: async () => {} };
  const folder = makeDataFolder(settings.dataDir);
  try {
    const lock = lockFolder(folder, join(folder, 'lock'), 'nothing: it sets the password of the admin');
    process.once('exit', () => lock.release());
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error;
    return { url: readFileSync(join(folder, 'database-url'), 'utf8').trim(), close: async () => {} };
  }
  const server = await startEmbeddedPostgres({ dir: join(folder, 'postgres'), port: await freePort() });
  return { url: server.url, close: () => server.stop() };
}

async function setPassword(pool: Pool, password: string, withoutSecondFactor: boolean): Promise<boolean> {
  const passwordHash = await hashPassword(password);
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ there: boolean }>("select to_regclass('audit_log') is not null as there");
    if (!rows[0]?.there) return false;
    const username = await setAdminPassword(client, { passwordHash, withoutSecondFactor });
    if (username === null) return false;
    // Failed logins of others must not lock the admin out.
    await deleteLoginCounters(client, { id: ADMIN_ID, username });
    return true;
  });
}

async function main(): Promise<void> {
  // For an admin who has lost phone and recovery codes; in production the next login requires a new second factor.
  const { values } = parseArgs({ options: { 'without-second-factor': { type: 'boolean', default: false } } });
  const settings = readSettings({ ...process.env, ROLE: 'all' });
  if (settings.adminPassword !== undefined) await checkAdminPassword(settings.adminPassword);
  const password = settings.adminPassword ?? randomBytes(16).toString('base64url');
  const database = await findDatabase(settings);
  try {
    const pool = await openPool(database.url, 1, 'lotwatch-admin-password');
    const isSet = await setPassword(pool, password, values['without-second-factor']).finally(() => pool.end());
    if (!isSet) throw new Error('There is no admin yet. Start LotWatch once with npm start, which creates one.');
  } finally {
    await database.close();
  }
  process.stderr.write(
    settings.adminPassword === undefined
      ? 'The user admin has a new password; it is shown this once. All its sessions have ended, and wrong tries no longer count.\n'
      : 'The user admin has the password of ADMIN_PASSWORD now. All its sessions have ended, and wrong tries no longer count.\n',
  );
  process.stdout.write(
    `${JSON.stringify({ username: 'admin', ...(settings.adminPassword === undefined ? { password } : {}) })}\n`,
  );
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(
      `${error instanceof SettingsError || error instanceof Error ? error.message : String(error)}\n`,
    );
    process.exit(1);
  },
);
