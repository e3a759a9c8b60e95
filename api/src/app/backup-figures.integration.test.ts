import { chmodSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makePool, type Pool } from '../base/database.ts';
import { freePort } from '../base/free-port.ts';
import { silentLog } from '../base/log.ts';
import { BACKUP_SLOT } from '../launcher/backup/backed-up-server.ts';
import { makeBackupFolder } from '../launcher/backup/backup-folder.ts';
import { readFolderFigures } from '../launcher/backup/folder-figures.ts';
import { makeBackup } from '../launcher/backup/make-backup.ts';
import { receiveLog } from '../launcher/backup/receive-log.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../launcher/postgres/embedded-postgres.ts';
import { makeBackupReader } from '../metrics/backups.ts';
import { makeMetrics } from '../metrics/metrics.ts';

const TIMEOUT_MS = 30_000;
let dataDir: string;
let server: EmbeddedPostgres;
let pool: Pool;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'lotwatch-figures-'));
  chmodSync(dataDir, 0o700);
  server = await startEmbeddedPostgres({ dir: join(dataDir, 'postgres'), port: await freePort(), durable: false });
  pool = makePool(server.url, 1);
  await pool.query('create table sold (name text)');
});
afterAll(async () => {
  await pool.end();
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const sell = () => pool.query("insert into sold select repeat('x', 1000) from generate_series(1, 100)");

it('shows how old the newest base backup is, and for how long the log waits to be archived', async () => {
  const folder = makeBackupFolder(join(dataDir, 'backups'));
  let now = Date.now();
  const read = makeBackupReader({ slot: BACKUP_SLOT, readFolder: () => readFolderFigures(folder) }, () => now);
  expect(await read(pool)).toMatchObject({ baseAgeSeconds: Number.POSITIVE_INFINITY, logBehindBytes: undefined });

  const receiver = await receiveLog(server.url, folder, silentLog);
  const backup = await makeBackup({ databaseUrl: server.url, backupDir: folder, dataDir });
  await sell();
  await expect.poll(async () => (await read(pool)).logBehindBytes, { timeout: TIMEOUT_MS }).toBe(0);
  now = Date.parse(backup.endedAt) + 3_600_000;
  expect(await read(pool)).toMatchObject({
    baseAgeSeconds: 3600,
    baseBytes: backup.bytes,
    freeBytes: expect.any(Number),
    logBehindSeconds: 0,
  });

  await receiver.close();
  await sell();
  now += 10_000;
  await expect.poll(async () => (await read(pool)).logBehindBytes, { timeout: TIMEOUT_MS }).toBeGreaterThan(100_000);
  now += 600_000;
  // The server writes log of its own at times, which may have waited before these rows.
  expect([600, 610]).toContain((await read(pool)).logBehindSeconds);
  const again = await receiveLog(server.url, folder, silentLog);
  await expect.poll(async () => (await read(pool)).logBehindSeconds, { timeout: TIMEOUT_MS }).toBe(0);
  await again.close();

  renameSync(folder, `${folder}.away`);
  expect(await read(pool)).toMatchObject({ baseAgeSeconds: Number.POSITIVE_INFINITY, freeBytes: undefined });
  expect(existsSync(folder)).toBe(false);
}, 120_000);

it('shows for how long the archive_command of a server fails, and no figure where nothing is backed up', async () => {
  const metrics = makeMetrics({ db: pool, pools: {} });
  await pool.query(
    `select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = '${BACKUP_SLOT}'`,
  );
  expect(await metrics.read()).not.toMatch(/^lotwatch_backup/m);
  metrics.close();

  const of = (row: Record<string, unknown>) =>
    ({ query: async () => ({ rows: [row], rowCount: 1 }) }) as unknown as Pool;
  const read = makeBackupReader(undefined);
  const figures = await read(of({ archived: null, written: 5, commandBehindSeconds: 90 }));
  expect(figures).toMatchObject({ logBehindSeconds: 90, logBehindBytes: undefined, baseAgeSeconds: undefined });
});
