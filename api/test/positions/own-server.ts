import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, copyFileSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { copyDatabase } from '../../lab/copy-database.ts';
import { makeTemporaryFolder } from '../../lab/temporary-folder.ts';
import { untilTrue } from '../../lab/until-true.ts';
import { inTransaction, makePool, type Pool, waitForDatabase } from '../../src/base/database.ts';
import { freePort } from '../../src/base/free-port.ts';
import { silentLog } from '../../src/base/log.ts';
import { makeMigratingOrm } from '../../src/entities/migrating-orm.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/launcher/postgres/embedded-postgres.ts';
import { acceptServer } from '../../src/notify/restored/running-server.ts';

/** A copy of a server's files at one point in time, from which another server can be started. */
interface BaseBackup {
  dir: string;
}

/** A server that follows another one, as a standby in another place does. */
export interface Standby {
  url: string;
  /** Cuts it off from its primary, whose later commits it lacks. */
  cutOff(): Promise<void>;
  /** Makes it a primary; resolves once it is one. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

/** A server that a test can kill and replace by another one. */
export interface OwnServer {
  /** The same for every server that takes its place. */
  url: string;
  /** Copies the files of the running server, as a standby or a snapshot of the disk does. */
  backUp(): Promise<BaseBackup>;
  /** Copies the rows into a new cluster, as restoring a dump does. The new cluster is not started. */
  dump(): Promise<BaseBackup>;
  /** Kills the server and starts another from the backup. @param promoted whether it starts a new timeline */
  replaceBy(backup: BaseBackup, promoted: boolean): Promise<void>;
  /** Starts a standby that follows by streaming. */
  startStandby(): Promise<Standby>;
  /** Kills the server. */
  kill(): Promise<void>;
  /** Kills the server, if it runs, and starts it again. */
  crash(): Promise<void>;
  /** Kills the process of one connection, after which the server cuts all others and recovers. */
  crashConnection(): Promise<void>;
  /** Stops the server and starts it again. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a server with all migrations for one test file. */
export async function startOwnServer(): Promise<OwnServer> {
  const folder = makeTemporaryFolder();
  const port = await freePort();
  let made = 0;
  const newDir = () => join(folder, `cluster-${++made}`);
  let dir = newDir();
  const start = (at: string, onPort: number) =>
    startEmbeddedPostgres({
      dir: at,
      port: onPort,
      durable: false,
      // Acknowledged commits survive the death of the process, though not of the machine.
      extraOptions: ['synchronous_commit=on'],
    });
  let server: EmbeddedPostgres = await start(dir, port);
  const { url } = server;
  await migrate(url);

  async function kill(): Promise<void> {
    if (server.process.exitCode !== null || server.process.signalCode !== null) return;
    const gone = once(server.process, 'exit');
    server.process.kill('SIGKILL');
    await gone;
  }

  const ownServer: OwnServer = {
    url,
    async backUp() {
      const copied = newDir();
      await whileConnected(url, async (pool) => {
        const client = await pool.connect();
        await client.query("select pg_backup_start('test', true)");
        copyFiles(dir, copied);
        const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
        client.release();
        // The log that was written while the files were copied.
        copyFiles(join(dir, 'pg_wal'), join(copied, 'pg_wal'));
        writeOwned(copied, 'backup_label', rows[0]?.labelfile ?? '');
      });
      copyFileSync(`${dir}.password`, `${copied}.password`);
      return { dir: copied };
    },
    async dump() {
      const restored = newDir();
      const other = await start(restored, await freePort());
      await migrate(other.url);
      await copyDatabase(url, other.url);
      // The new cluster accepts the password of the old address.
      const { password } = new URL(url);
      await whileConnected(other.url, (pool) => pool.query(`alter role postgres password '${password}'`));
      await other.stop();
      return { dir: restored };
    },
    async replaceBy(backup, promoted) {
      await kill();
      dir = backup.dir;
      if (promoted) {
        writeOwned(dir, 'recovery.signal', '');
        writeOwned(dir, 'postgresql.auto.conf', "restore_command = 'false'\n");
      }
      server = await start(dir, port);
      // As an operator does who knows what was lost; otherwise messages would be held.
      await whileConnected(url, (pool) => inTransaction(pool, acceptServer));
    },
    async startStandby() {
      const { dir: copied } = await ownServer.backUp();
      const { port: primaryPort, username, password } = new URL(url);
      const settings = `primary_conninfo = 'host=127.0.0.1 port=${primaryPort} user=${username} password=${password}'\n`;
      writeOwned(copied, 'postgresql.auto.conf', settings);
      writeOwned(copied, 'standby.signal', '');
      const own = Object.assign(new URL(url), { port: String(await freePort()) });
      // It counts as started once it is a primary.
      const promoted = start(copied, Number(own.port));
      promoted.catch(() => {});
      const ask = async (sql: string) => {
        const client = new pg.Client({ connectionString: own.href });
        client.on('error', () => {});
        try {
          await client.connect();
          return (await client.query(sql)).rows;
        } finally {
          await client.end().catch(() => {});
        }
      };
      const follows = async () =>
        (await ask('select from pg_stat_wal_receiver where status = $$streaming$$')).length > 0;
      await untilTrue('the start of the standby', 30_000, follows, 50);
      return {
        url: own.href,
        async cutOff() {
          await ask("alter system set primary_conninfo = ''");
          await ask('select pg_reload_conf()');
          await untilTrue('the end of streaming', 10_000, async () => !(await follows()), 20);
        },
        async promote() {
          await ask('select pg_promote(false)');
          await promoted;
        },
        stop: async () => (await promoted).stop(),
      };
    },
    kill,
    async crash() {
      await kill();
      server = await start(dir, port);
    },
    async crashConnection() {
      await whileConnected(url, async (pool) => {
        const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
        const gone = new Promise((resolve) => pool.once('error', resolve));
        process.kill(rows[0]?.pid ?? 0, 'SIGKILL');
        await gone;
      });
      await waitForDatabase(url, silentLog);
    },
    async restart() {
      await server.stop();
      server = await start(dir, port);
    },
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return ownServer;
}

async function migrate(url: string): Promise<void> {
  const orm = await makeMigratingOrm(url);
  await orm.migrator.up();
  await orm.close(true);
}

async function whileConnected<T>(url: string, work: (pool: Pool) => Promise<T>): Promise<T> {
  const pool = makePool(url, 1);
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}

/** Writes a file owned like its folder, because the server may run as another user. */
function writeOwned(dir: string, name: string, text: string): void {
  const { uid, gid } = statSync(dir);
  writeFileSync(join(dir, name), text);
  chownSync(join(dir, name), uid, gid);
}

/** Copies the files of a running server. Replaying the log repairs what changed meanwhile. */
function copyFiles(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  try {
    execFileSync('cp', ['-a', `${from}/.`, to], { stdio: 'ignore' });
  } catch {
    // A file was deleted while it was copied.
  }
  rmSync(join(to, 'postmaster.pid'), { force: true });
}
