import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../lab/temporary-folder.ts';
import { folderOfTest } from '../../../test/set-up.ts';
import { makePool } from '../../base/database.ts';
import { freePort } from '../../base/free-port.ts';
import { silentLog } from '../../base/log.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../postgres/embedded-postgres.ts';
import { baseFolder, listBases, listHistories, makeBackupFolder } from './backup-folder.ts';
import { makeBackup } from './make-backup.ts';
import { receiveLog } from './receive-log.ts';
import { restore } from './restore/restore.ts';

let dataDir: string;
let server: EmbeddedPostgres;
const mounts: string[] = [];

async function ask(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const pool = makePool(url, 1);
  try {
    return (await pool.query(statement)).rows;
  } finally {
    await pool.end();
  }
}

beforeAll(async () => {
  dataDir = makeTemporaryFolder();
  chmodSync(dataDir, 0o700);
  writeFileSync(join(dataDir, 'session-secret'), 'of the backup\n', { mode: 0o600 });
  server = await startEmbeddedPostgres({ dir: join(dataDir, 'postgres'), port: await freePort(), durable: false });
  await ask(server.url, 'create table sold (name text)');
});
afterAll(async () => {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
});
afterEach(() => {
  for (const path of mounts.splice(0)) execFileSync('umount', [path]);
});

const orderFor = (backupDir: string) => ({ databaseUrl: server.url, backupDir, dataDir });
const sell = (name: string) => ask(server.url, `insert into sold values ('${name}')`);

/** A moment after everything that is committed, and before all that follows. */
async function moment(): Promise<Date> {
  const sleeping = 'select clock_timestamp() as at, pg_sleep(0.005) from pg_sleep(0.005)';
  const [{ at }] = (await ask(server.url, sleeping)) as [{ at: Date }];
  return at;
}

/** Restores into a data folder, and reads what was sold. */
async function readRestored(backupDir: string, into: string, target: { to?: Date; timeline?: number }) {
  let sold: unknown[] = [];
  const result = await restore({
    backupDir,
    dataDir: into,
    to: target.to,
    timeline: target.timeline,
    onStep: () => {},
    readLost: (url) => ask(url, 'select name from sold order by name'),
    async prepare(url, { lost }) {
      sold = [(await ask(url, 'select name from sold order by name')).map(({ name }) => name), lost];
    },
  });
  return { ...result, sold };
}

it('restores a moment between two commits, and knows what came after it', async () => {
  const backupDir = makeBackupFolder(join(folderOfTest(), 'backups'));
  const receiver = await receiveLog(server.url, backupDir, silentLog);
  await sell('before the base backup');
  await makeBackup(orderFor(backupDir));
  await sell('before the moment');
  const to = await moment();
  await sell('after the moment');
  const synced = `select flush_lsn >= pg_current_wal_insert_lsn() as is from pg_stat_replication where application_name = 'lotwatch-log-archive'`;
  await expect.poll(() => ask(server.url, synced)).toEqual([{ is: true }]);
  await receiver.close();
  await ask(server.url, "select pg_drop_replication_slot('lotwatch_backup')");

  const into = folderOfTest();
  writeFileSync(join(into, 'session-secret'), 'of another one\n');
  const refused = restore({
    backupDir,
    dataDir: into,
    to,
    onStep: () => {},
    readLost: async () => undefined,
    prepare: () => Promise.reject(new Error('refused by the test')),
  });
  await expect(refused).rejects.toThrow('refused by the test');
  expect([listHistories(backupDir), readFileSync(join(into, 'session-secret'), 'utf8')]).toEqual([
    [],
    'of another one\n',
  ]);

  const earlier = await readRestored(backupDir, into, { to });
  expect(earlier.sold).toEqual([
    ['before the base backup', 'before the moment'],
    [{ name: 'after the moment' }, { name: 'before the base backup' }, { name: 'before the moment' }],
  ]);
  expect(readFileSync(join(into, 'session-secret'), 'utf8')).toBe('of the backup\n');
  for (const path of [backupDir, join(backupDir, 'wal')]) expect(statSync(path).mode & 0o777).toBe(0o700);

  // The restored database began a timeline of its own; the commit after the moment is on the one before.
  const last = await readRestored(backupDir, into, { timeline: 1 });
  expect(last.sold[0]).toEqual(['after the moment', 'before the base backup', 'before the moment']);
  expect(existsSync(join(last.replaced ?? '', 'global', 'pg_control'))).toBe(true);
});

it('takes no base backup for whole that was killed, and none that is damaged', async () => {
  const backupDir = join(folderOfTest(), 'backups');
  const code = `
    import { makeBackup } from ${JSON.stringify(new URL('./make-backup.ts', import.meta.url).href)};
    const onProgress = (done) => done > 2e6 && process.kill(process.pid, 'SIGKILL');
    await makeBackup({ ...${JSON.stringify(orderFor(backupDir))}, onProgress });`;
  const script = join(folderOfTest(), 'killed.mts');
  writeFileSync(script, code);
  const { signal } = spawnSync(process.execPath, ['--import', import.meta.resolve('tsx'), script]);
  expect(signal).toBe('SIGKILL');
  expect(listBases(backupDir)).toEqual([]);
  await expect(readRestored(backupDir, folderOfTest(), {})).rejects.toThrow('no base backup');

  const { name } = await makeBackup(orderFor(backupDir));
  mkdirSync(join(baseFolder(backupDir), 'damaged'));
  writeFileSync(join(baseFolder(backupDir), 'damaged', 'backup.json'), '{');
  const damaged: unknown[] = [];
  expect(listBases(backupDir, (error) => damaged.push(error)).map((base) => base.name)).toEqual([name]);
  expect(damaged).toHaveLength(1);
  const path = join(baseFolder(backupDir), name, 'base.tar.gz');
  const content = readFileSync(path);
  content.writeUInt8(content.readUInt8(content.length - 4) ^ 1, content.length - 4);
  writeFileSync(path, content);
  await expect(readRestored(backupDir, folderOfTest(), {})).rejects.toThrow(`The base backup ${name} is damaged`);
});

it('makes one base backup at a time, and none of another cluster', async () => {
  const backupDir = join(folderOfTest(), 'backups');
  const first = makeBackup(orderFor(backupDir));
  await expect(makeBackup(orderFor(backupDir))).rejects.toThrow('A backup to');
  await first;
  renameSync(backupDir, `${backupDir}.away`);
  await expect(makeBackup(orderFor(backupDir))).rejects.toThrow('Is its disk there?');
  renameSync(`${backupDir}.away`, backupDir);
  writeFileSync(join(backupDir, 'cluster.json'), '{"systemId":"1","major":"18","segmentBytes":16777216,"timeline":1}');
  await expect(makeBackup(orderFor(backupDir))).rejects.toThrow('has backups of another cluster');
  await expect(receiveLog(server.url, backupDir, silentLog)).rejects.toThrow('has backups of another cluster');
  await expect.poll(() => ask(server.url, 'select application_name from pg_stat_replication')).toEqual([]);
});

it.runIf(process.getuid?.() === 0)('says that the disk is full, and leaves what was there', async ({ skip }) => {
  const disk = folderOfTest();
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', disk]);
  if (status !== 0) skip('This machine mounts no tmpfs.');
  mounts.push(disk);
  mkdirSync(join(disk, 'base', 'of-yesterday'), { recursive: true });
  await expect(makeBackup(orderFor(disk))).rejects.toThrow(`The disk of ${disk} is full`);
  expect(existsSync(join(disk, 'base', 'of-yesterday'))).toBe(true);
  expect(listBases(disk)).toEqual([]);
});
