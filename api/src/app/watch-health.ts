import { makePool, type Pool } from '../base/database.ts';
import type { DatabaseAddress } from '../base/database-address.ts';
import type { Log } from '../base/log.ts';
import type { Settings } from '../base/settings/settings.ts';
import type { Health } from '../http/health/health.ts';
import { followChosenLayout } from '../placement/follow-layout.ts';
import { watchCluster } from '../placement/watch-servers.ts';

interface WatchParts {
  settings: Pick<Settings, 'health' | 'backupDir'>;
  health: Health;
  database: DatabaseAddress;
  pools: Readonly<Record<string, Pool>> & { statements: Pool };
  log: Log;
  sockets?: () => number;
}

const TIMEOUT_MS = 5_000;

/**
 * Answers on the health and the measurements of this process, whose code is loaded only where they are asked for. On a cluster
 * it watches the servers.
 */
export async function watchHealth({
  settings,
  health,
  database,
  log,
  ...parts
}: WatchParts): Promise<{ close(): Promise<void> }> {
  const { health: at, backupDir } = settings;
  const endWatch = watchCluster(parts.pools.statements, { log, onAway: health.setAwayServers });
  if (!at) return { close: endWatch };
  const { makeMetrics } = await import('../metrics/metrics.ts');
  const { startHealthServer } = await import('../http/health/health-server.ts');
  const { BACKUP_SLOT } = await import('../launcher/backup/backed-up-server.ts');
  const { readFolderFigures } = await import('../launcher/backup/folder-figures.ts');
  const backup =
    backupDir === undefined ? undefined : { slot: BACKUP_SLOT, readFolder: () => readFolderFigures(backupDir) };
  // Neither a full pool nor a slow figure of the database holds up the others.
  const db = makePool(database, 1, 'lotwatch-metrics', TIMEOUT_MS);
  followChosenLayout(db);
  const metrics = makeMetrics({ db, backup, ...parts });
  const server = await startHealthServer(health, metrics, at);
  return {
    async close() {
      await endWatch();
      await server.close();
      metrics.close();
      await db.end();
    },
  };
}
