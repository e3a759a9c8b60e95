import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { folderOfTest } from '../../../test/set-up.ts';
import { makePool } from '../../base/database.ts';
import { freePort } from '../../base/free-port.ts';
import { isAlive, processesIn } from '../processes/os-processes.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';

let folder: string;
let dir: string;
let servers: EmbeddedPostgres[];
beforeEach(() => {
  // Accessible only to its owner, like a data folder.
  folder = folderOfTest();
  chmodSync(folder, 0o700);
  dir = join(folder, 'postgres');
  servers = [];
});
afterEach(async () => {
  for (const server of servers) await server.stop();
});

/** Without fsync, which is slow and which most tests don't need. */
async function start(durable = false): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dir, port: await freePort(), durable });
  servers.push(server);
  return server;
}

async function ask(server: EmbeddedPostgres, ...statements: string[]): Promise<unknown[]> {
  const pool = makePool(server.url, 1);
  try {
    let rows: unknown[] = [];
    for (const statement of statements) ({ rows } = await pool.query(statement));
    return rows;
  } finally {
    await pool.end();
  }
}

const pidOf = (server: EmbeddedPostgres): number => server.process.pid ?? 0;

describe('the embedded PostgreSQL', () => {
  it('works in a folder that only its owner can access, is durable, and protects its password', async () => {
    const server = await start(true);
    const durable =
      "select string_agg(setting, ' ') as on from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes')";
    expect(await ask(server, durable)).toEqual([{ on: 'on on on' }]);
    expect(statSync(`${dir}.password`).mode & 0o777).toBe(0o600);
    expect(statSync(dir).mode & 0o777).toBe(0o700);
    await expect(ask({ ...server, url: server.url.replace(/:[^:@]+@/, ':wrong@') }, 'select 1')).rejects.toThrow(
      /password/,
    );
    await server.stop();
    expect(processesIn(dir)).toEqual([]);
  });

  it('keeps every acknowledged row when it is killed', async () => {
    const first = await start(true);
    await ask(first, 'create table kept (n int)', 'insert into kept values (42)');
    process.kill(pidOf(first), 'SIGKILL');
    const second = await start(true);
    expect(await ask(second, 'select n from kept')).toEqual([{ n: 42 }]);
  });

  it('stops a server that an earlier launcher left on the cluster', { tags: 'long' }, async () => {
    const orphan = await start();
    await ask(orphan, 'create table kept (n int)', 'insert into kept values (42)');
    const second = await start();
    expect(isAlive(pidOf(orphan))).toBe(false);
    expect(await ask(second, 'select n from kept')).toEqual([{ n: 42 }]);
  });

  it('starts when its lock file names an unrelated process', { tags: 'long' }, async () => {
    await (await start()).stop();
    const stranger = spawn('sleep', ['60']);
    try {
      writeFileSync(join(dir, 'postmaster.pid'), `${stranger.pid}\n${dir}\n1700000000\n5432\n\n127.0.0.1\n`);
      const server = await start();
      expect(await ask(server, 'select 1 as one')).toEqual([{ one: 1 }]);
      expect(isAlive(stranger.pid ?? 0)).toBe(true);
    } finally {
      stranger.kill('SIGKILL');
    }
  });

  it('creates the cluster again after an interruption', async () => {
    mkdirSync(`${dir}.new/cluster/base`, { recursive: true });
    writeFileSync(`${dir}.new/cluster/PG_VERSION`, '18\n');
    mkdirSync(dir);
    writeFileSync(join(dir, 'PG_VERSION'), '18\n');
    const server = await start();
    expect(await ask(server, 'select 1 as one')).toEqual([{ one: 1 }]);
    // An incomplete cluster is renamed, not deleted.
    expect(readdirSync(folder).filter((name) => name.startsWith('postgres.incomplete-'))).toHaveLength(1);
    expect(existsSync(`${dir}.new`)).toBe(false);
  });

  it('refuses a cluster of another version', async () => {
    await (await start()).stop();
    writeFileSync(join(dir, 'PG_VERSION'), '17\n');
    await expect(start()).rejects.toThrow(/PostgreSQL 17/);
    expect(readFileSync(join(dir, 'PG_VERSION'), 'utf8')).toBe('17\n');
  });
});
