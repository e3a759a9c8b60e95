import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { copyDatabase, endSessions } from '../../lab/copy-database.ts';
import { inTransaction, makePool, type Pool } from '../../src/base/database.ts';
import { freePort } from '../../src/base/free-port.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/launcher/postgres/embedded-postgres.ts';
import { prepareDatabase } from '../../src/launcher/postgres/prepare-database.ts';
import { acceptServer } from '../../src/notify/restored/running-server.ts';
import { SOURCE } from '../world/pusher.ts';
import type { CommitProxy, CommitTrouble } from './commit-proxy.ts';

interface Triggers {
  functions: string;
  triggers: readonly string[];
}

/** On a cluster they fire on each server, also for its copy of a row, which they may change by the row alone therefore. */
const makeTriggers = (pool: Pool, { functions, triggers }: Triggers): Promise<void> =>
  inTransaction(pool, async (client) => {
    // Other servers have no such settings, and ignore them.
    await client.query('set local citus.enable_unsafe_triggers = on');
    await client.query("set local citus.multi_shard_modify_mode = 'sequential'");
    await client.query(functions);
    for (const trigger of triggers) await client.query(trigger);
  });

const beforeUpdate = (table: string, change: string, events = 'update') =>
  `create trigger faults_hurry before ${events} on ${table} for each row execute function faults_hurry_${change}()`;

/**
 * Makes triggers that shorten waits, so that a run of minutes sees what takes hours: the five minutes between an alert's
 * mails become four seconds, retries wait a fourth as long, an abandoned text is given up after 10 seconds instead of
 * 25, and sources are polled every two seconds.
 */
export const shortenWaits = (pool: Pool): Promise<void> =>
  makeTriggers(pool, {
    functions: `
    create function faults_hurry_alert() returns trigger language plpgsql as $$ begin
      if new.last_mailed_at is distinct from old.last_mailed_at and new.last_mailed_at > now() - interval '1 minute'
      then new.last_mailed_at := new.last_mailed_at - interval '296 seconds'; end if;
      if new.last_texted_at is distinct from old.last_texted_at and new.last_texted_at > now() - interval '1 minute'
      then new.last_texted_at := new.last_texted_at - interval '296 seconds'; end if;
      if new.last_pushed_at is distinct from old.last_pushed_at and new.last_pushed_at > now() - interval '1 minute'
      then new.last_pushed_at := new.last_pushed_at - interval '296 seconds'; end if;
      return new;
    end $$;
    create function faults_hurry_mail() returns trigger language plpgsql as $$ begin
      if new.status = 'waiting' and new.next_try_at > now() + interval '1 second'
      then new.next_try_at := now() + (new.next_try_at - now()) / 4; end if;
      return new;
    end $$;
    create function faults_hurry_device() returns trigger language plpgsql as $$ begin
      if new.retry_at > now() + interval '1 second' then new.retry_at := now() + (new.retry_at - now()) / 4; end if;
      return new;
    end $$;
    create function faults_hurry_text() returns trigger language plpgsql as $$ begin
      new.created_at := new.created_at - interval '15 seconds';
      return new;
    end $$;
    create function faults_hurry_source() returns trigger language plpgsql as $$ begin
      if new.settings ? 'everySeconds' then new.settings := new.settings || '{"everySeconds": 2}'; end if;
      return new;
    end $$`,
    triggers: [
      beforeUpdate('alerts', 'alert'),
      beforeUpdate('mails', 'mail', 'insert or update'),
      beforeUpdate('pushes', 'mail', 'insert or update'),
      beforeUpdate('push_subscriptions', 'device'),
      beforeUpdate('texts', 'text', 'insert'),
      beforeUpdate('sources', 'source', 'insert or update'),
    ],
  });

/** Makes a trigger that gives pushed cars the bands of `bandOf`, as the few cars of a run make no model of prices. */
export const setBands = (pool: Pool): Promise<void> =>
  makeTriggers(pool, {
    functions: `
    create function faults_set_band() returns trigger language plpgsql as $$ begin
      new.band_middle := 8000 + 1000 * (new.year - 2006);
      new.band_low := new.band_middle * 0.8;
      new.band_high := new.band_middle * 1.25;
      return new;
    end $$`,
    triggers: [
      `create trigger faults_set_band before insert or update on listings
          for each row when (new.source = '${SOURCE}') execute function faults_set_band()`,
    ],
  });

/** `kill -9`. @returns whether there was one */
export function killProcess(pid: number): boolean {
  try {
    process.kill(pid, 'SIGKILL');
    return true;
  } catch {
    return false;
  }
}

/** What a run does to a cluster beside killing its servers. */
export interface Cluster {
  /** How often the coordinator's commits reach the servers of rows late, or not at all. Never, at first. */
  commits: CommitTrouble;
  /** How many commits were disturbed, until now. */
  counts(): CommitProxy['counts'];
  /** Kills the server that others reach by this port. Resolves when it is back. */
  killAt(port: number): Promise<void>;
}

/** A durable PostgreSQL that is killed and restarted, and restored into another cluster. */
export interface KillableDatabase {
  /** The address of the current server. */
  readonly url: string;
  readonly port: number;
  /** When it was killed and when it took connections again, in milliseconds since 1970. */
  outages: { from: number; to: number }[];
  /** Kills the main process of the server with all sessions (`kill -9`); resolves when it is back. */
  killServer(): Promise<void>;
  /** The addresses at the other servers, where the tables are distributed over several. */
  readonly workerUrls: readonly string[];
  /** The same for one of these. */
  killWorker(at: number): Promise<void>;
  /** `kill -9` of one session, after which the server ends all others and recovers. @returns whether there was one */
  killSession(pid: number): boolean;
  /** Where the tables are distributed. */
  readonly cluster?: Cluster;
  /** A new, migrated, empty cluster with a system identifier of its own and few transactions. */
  makeSuccessor(): Promise<Successor>;
  stop(): Promise<void>;
}

interface Successor {
  url: string;
  /** Fills it with the data of the current server. */
  restore(): Promise<void>;
  /** Ends all sessions of the current server. */
  endSessions(): Promise<void>;
  /** Makes it the server, and deletes the current one. */
  takeOver(): Promise<void>;
}

export const ADMIN_PASSWORD = 'the-admin-of-the-faults';

const start = (folder: string, port: number) =>
  startEmbeddedPostgres({
    dir: join(folder, 'postgres'),
    port,
    durable: true,
    onLine: (line) => appendFileSync(join(folder, 'postgres.log'), `${line}\n`),
  });

/** A stopped, migrated cluster with plans and the admin. It is deleted with the folder of the run that made it. */
async function makeTemplate(folder: string): Promise<string> {
  const made = join(folder, 'template');
  mkdirSync(made);
  const server = await start(made, await freePort());
  await prepareDatabase(server.url, ADMIN_PASSWORD);
  await server.stop();
  return made;
}

let template: Promise<string> | undefined;

/** The cluster at `url` gets the password of another one, so that only the port of its address differs. */
async function setPassword(folder: string, url: string, password: string): Promise<void> {
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  await db.query(`alter user postgres password ${pg.escapeLiteral(password)}`);
  await db.end();
  writeFileSync(join(folder, 'postgres.password'), password, { mode: 0o600 });
}

/** Starts it on a cluster that is copied from a template, since several runs in one process need the same one. */
export async function startKillableDatabase(folder: string): Promise<KillableDatabase> {
  template ??= makeTemplate(folder);
  if (!existsSync(await template)) template = makeTemplate(folder);
  const made = await template;
  for (const name of ['postgres', 'postgres.password'])
    await cp(join(made, name), join(folder, name), { recursive: true, preserveTimestamps: true });
  chmodSync(join(folder, 'postgres'), 0o700);
  const outages: { from: number; to: number }[] = [];
  let clusterFolder = folder;
  let server: EmbeddedPostgres = await start(clusterFolder, await freePort());
  let clusters = 1;

  async function makeSuccessor(): Promise<Successor> {
    clusters += 1;
    const nextFolder = join(folder, `cluster-${clusters}`);
    mkdirSync(nextFolder);
    const made = await start(nextFolder, await freePort());
    await prepareDatabase(made.url, ADMIN_PASSWORD);
    await setPassword(nextFolder, made.url, new URL(server.url).password);
    const url = Object.assign(new URL(server.url), { port: String(made.port) }).href;
    return {
      url,
      async restore() {
        await copyDatabase(server.url, url);
        // As an operator does who has seen what was lost; otherwise messages would be held.
        const pool = makePool(url, 1, 'faults');
        await inTransaction(pool, acceptServer);
        await pool.end();
      },
      endSessions: () => endSessions(server.url),
      async takeOver() {
        const [old, oldFolder] = [server, clusterFolder];
        server = { ...made, url };
        clusterFolder = nextFolder;
        await old.stop();
        rmSync(join(oldFolder, 'postgres'), { recursive: true, force: true });
      },
    };
  }

  return {
    get url() {
      return server.url;
    },
    get port() {
      return server.port;
    },
    outages,
    async killServer() {
      const outage = { from: Date.now(), to: Number.POSITIVE_INFINITY };
      outages.push(outage);
      const postmasterPid = Number(
        readFileSync(join(clusterFolder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0],
      );
      const gone = new Promise((resolve) => server.process.once('close', resolve));
      process.kill(postmasterPid, 'SIGKILL');
      await gone;
      server = await start(clusterFolder, server.port);
      outage.to = Date.now();
    },
    workerUrls: [],
    killWorker: () => Promise.reject(new Error('there is one server')),
    killSession(pid) {
      outages.push({ from: Date.now(), to: Date.now() + 3_000 });
      return killProcess(pid);
    },
    makeSuccessor,
    stop: () => server.stop(),
  };
}
