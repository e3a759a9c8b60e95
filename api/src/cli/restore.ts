import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { inTransaction, makePool, type Pool } from '../base/database.ts';
import { readSettings } from '../base/settings/settings.ts';
import { listBases } from '../launcher/backup/backup-folder.ts';
import { restore } from '../launcher/backup/restore/restore.ts';
import { lockFolder, makeDataFolder } from '../launcher/data-folder.ts';
import { prepareDatabase } from '../launcher/postgres/prepare-database.ts';
import { type MarkedRestored, markRestored } from '../notify/restored/mark-restored.ts';
import { readLost } from '../notify/restored/read-lost.ts';
import { acceptServer } from '../notify/restored/running-server.ts';
import { keepDecisions, readDecisions } from '../rights/keep-decisions.ts';
import { showProgress } from './backup-output.ts';
import { exitWith, print, requireEmbedded, UsageError } from './open-database.ts';
import { readMoment } from './read-moment.ts';

const USAGE = `npm run -s restore -- list
npm run restore -- [--to 2026-11-26T17:00:00Z] [--timeline N]
`;

function readTimeline(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`--timeline must be a number above 0, not ${text}.`);
  return Number(text);
}

async function withPool<T>(url: string, work: (pool: Pool) => Promise<T>): Promise<T> {
  const pool = makePool(url, 1, 'lotwatch-restore');
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { to: { type: 'string' }, timeline: { type: 'string' } },
  });
  const [verb, ...rest] = positionals;
  if (rest.length > 0 || (verb !== undefined && verb !== 'list')) throw new UsageError(USAGE);
  const to = values.to === undefined ? undefined : readMoment(values.to, '--to');
  const timeline = readTimeline(values.timeline);
  const settings = readSettings({ ...process.env, ROLE: 'all' });
  requireEmbedded('npm run restore', settings);
  if (settings.backupDir === undefined) throw new UsageError('Set BACKUP_DIR to the folder of the backups.');
  const backupDir = resolve(settings.backupDir);
  if (verb === 'list') {
    for (const { name, startedAt, endedAt, timeline: of, bytes } of listBases(backupDir))
      print({ name, startedAt, endedAt, timeline: of, bytes });
    return;
  }
  const dataDir = makeDataFolder(settings.dataDir);
  const lock = lockFolder(dataDir, join(dataDir, 'lock'), 'nothing: its database is being restored');
  process.once('exit', () => lock.release());
  const progress = showProgress();
  let held: MarkedRestored | undefined;
  try {
    const restored = await restore({
      backupDir,
      dataDir,
      to,
      timeline,
      onStep: progress.step,
      readLost: (url, since) =>
        withPool(url, async (pool) => ({ ...(await readLost(pool, since)), decisions: await readDecisions(pool) })),
      async prepare(url, { lost, isComplete, restoredTo }) {
        await prepareDatabase(url, undefined);
        // Nothing was lost where the replaced database had no later commit.
        if (to === undefined && isComplete)
          return withPool(url, (pool) => inTransaction(pool, (client) => acceptServer(client)));
        held = await withPool(url, async (pool) => {
          const marked = await markRestored(pool, { restoredTo, lost, isComplete });
          await keepDecisions(pool, lost?.decisions, marked.erased);
          return marked;
        });
      },
    });
    progress.end();
    print({ ...restored, to: to ?? null, held: held ?? null });
    if (held)
      process.stderr.write(
        'All messages are held until you have seen npm run -s restored -- list, and released them.\n',
      );
  } finally {
    progress.end();
  }
}

exitWith(main());
