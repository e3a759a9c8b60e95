import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readSettings } from '../base/settings/settings.ts';
import { listBases } from '../launcher/backup/backup-folder.ts';
import { restore } from '../launcher/backup/restore/restore.ts';
import { lockFolder, makeDataFolder } from '../launcher/data-folder.ts';
import { prepareDatabase } from '../launcher/postgres/prepare-database.ts';
import { showProgress } from './backup-output.ts';
import { exitWith, print, UsageError } from './open-database.ts';

const USAGE = `npm run -s restore -- list
npm run restore -- [--to 2026-11-26T17:00:00Z] [--timeline N]
`;

function readMoment(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const hasZone = /(Z|[+-]\d\d:?\d\d)$/.test(text);
  const moment = new Date(text);
  if (!hasZone || Number.isNaN(moment.getTime()))
    throw new UsageError(`--to must be a moment with its time zone, such as 2026-11-26T17:00:00Z, not ${text}.`);
  if (moment.getTime() > Date.now()) throw new UsageError('--to must be in the past.');
  return moment;
}

function readTimeline(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`--timeline must be a number above 0, not ${text}.`);
  return Number(text);
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { to: { type: 'string' }, timeline: { type: 'string' } },
  });
  const [verb, ...rest] = positionals;
  if (rest.length > 0 || (verb !== undefined && verb !== 'list')) throw new UsageError(USAGE);
  const to = readMoment(values.to);
  const timeline = readTimeline(values.timeline);
  const settings = readSettings({ ...process.env, ROLE: 'all' });
  if (settings.databaseUrl !== undefined)
    throw new UsageError(
      'npm run restore is for the embedded PostgreSQL: api/docs/operating/pgbackrest.md is about others.',
    );
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
  try {
    const restored = await restore({
      backupDir,
      dataDir,
      to,
      timeline,
      onStep: progress.step,
      readLost: async () => undefined,
      prepare: async (databaseUrl) => {
        await prepareDatabase(databaseUrl, undefined);
      },
    });
    progress.end();
    print({ ...restored, to: to ?? null });
  } finally {
    progress.end();
  }
}

exitWith(main());
