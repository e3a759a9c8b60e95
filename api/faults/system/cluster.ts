import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { databaseOf, dropOnCluster, makeOnCluster, onServer, type Reach } from '../../lab/cluster-database.ts';
import { prepareDatabase } from '../../src/launcher/postgres/prepare-database.ts';
import {
  type CommitProxy,
  type CommitTrouble,
  NO_TROUBLE,
  type Shares,
  startCommitProxy,
  troubles,
} from './commit-proxy.ts';
import { ADMIN_PASSWORD, type KillableDatabase, killProcess } from './database.ts';

/** A server of the cluster, which runs on this machine. */
interface Server {
  url: string;
  dataFolder: string;
  program: string;
  args: readonly string[];
  /** Who owns its folder, and has to start it. */
  owner: { uid: number; gid: number };
}

const START_MS = 60_000;

async function describe(url: string): Promise<Server> {
  const [row] = await onServer(url, (query) =>
    query("select current_setting('data_directory') as folder, pg_read_file('postmaster.opts') as line"),
  );
  const dataFolder = String(row?.folder);
  // The program, and each argument in quotes.
  const [program = '', ...args] = String(row?.line)
    .trim()
    .split(/ (?=")/)
    .map((part) => part.replace(/^"(.*)"$/, '$1'));
  const { uid, gid } = statSync(dataFolder);
  return { url, dataFolder, program, args, owner: { uid, gid } };
}

const accepts = (url: string): Promise<boolean> =>
  onServer(url, (query) => query('select 1')).then(
    () => true,
    () => false,
  );

/** `kill -9` of a server with all sessions. Resolves when it is back. */
async function killServer({ url, dataFolder, program, args, owner }: Server, folder: string): Promise<void> {
  const [row] = await onServer(url, (query) => query("select pg_read_file('postmaster.pid') as text"));
  process.kill(Number(String(row?.text).split('\n')[0]), 'SIGKILL');
  for (const end = Date.now() + START_MS; Date.now() < end; await sleep(100)) {
    // A pipe would keep this process running as long as the server.
    const log = openSync(join(folder, 'postgres.log'), 'a');
    // Until the last of its processes has ended, it does not start.
    const server = spawn(program, args, {
      ...owner,
      cwd: dataFolder,
      stdio: ['ignore', 'ignore', log],
      detached: true,
    });
    closeSync(log);
    const ended = new Promise<boolean>((resolve) => server.once('exit', () => resolve(true)));
    for (;;) {
      if (await accepts(url)) {
        server.unref();
        return;
      }
      if (await Promise.race([ended, sleep(100).then(() => false)])) break;
    }
  }
  throw new Error(`the server in ${dataFolder} does not start`);
}

/**
 * Makes a database on a cluster all of whose servers run on this machine, and are there for this run alone. The servers of rows
 * are reached through proxies.
 * @param url a database of the coordinator
 */
export async function startKillableCluster(
  url: string,
  folder: string,
  random: () => number,
): Promise<KillableDatabase> {
  const name = `faults_${randomBytes(6).toString('hex')}`;
  const commits: CommitTrouble = { ...NO_TROUBLE, random };
  const proxies = new Map<number, CommitProxy>();
  const reach: Reach = async (worker) => {
    const proxy = await startCommitProxy(worker, commits);
    proxies.set(worker.port, proxy);
    return proxy.port;
  };
  const made = await makeOnCluster(url, name, reach);
  await prepareDatabase(made.url, ADMIN_PASSWORD, undefined, false, 'citus');
  const servers = await Promise.all(made.serverUrls.map(describe));
  const coordinator = servers.at(-1);
  if (!coordinator) throw new Error('the cluster has no server');
  const workers = servers.slice(0, -1);
  const outages: KillableDatabase['outages'] = [];
  const kill = async (server: Server) => {
    const outage = { from: Date.now(), to: Number.POSITIVE_INFINITY };
    outages.push(outage);
    await killServer(server, folder);
    outage.to = Date.now();
  };
  return {
    url: made.url,
    port: Number(new URL(made.url).port),
    workerUrls: workers.map((server) => databaseOf(server.url, name)),
    outages,
    killServer: () => kill(coordinator),
    killWorker: (at) => kill(workers[at % workers.length] ?? coordinator),
    killSession(pid) {
      outages.push({ from: Date.now(), to: Date.now() + 3_000 });
      return killProcess(pid);
    },
    makeSuccessor: () => Promise.reject(new Error('a cluster is not restored')),
    cluster: {
      commits,
      counts() {
        const sum: Shares = { ...NO_TROUBLE };
        for (const { counts } of proxies.values()) for (const trouble of troubles) sum[trouble] += counts[trouble];
        return sum;
      },
      killAt: (port) =>
        kill(workers.find((server) => proxies.get(Number(new URL(server.url).port))?.port === port) ?? coordinator),
    },
    async stop() {
      await dropOnCluster(made, [name]);
      for (const proxy of proxies.values()) proxy.stop();
    },
  };
}
