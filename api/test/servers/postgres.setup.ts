import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { makeTemporaryFolder } from '../../lab/temporary-folder.ts';
import { inTransaction, makePool } from '../../src/base/database.ts';
import { freePort } from '../../src/base/free-port.ts';
import { makeMigratingOrm } from '../../src/entities/migrating-orm.ts';
import { startEmbeddedPostgres } from '../../src/launcher/postgres/embedded-postgres.ts';
import { acceptServer } from '../../src/notify/restored/running-server.ts';
import { setUpCluster } from './citus-cluster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string;
    /** The addresses of all servers on which a test database has to be made: one, or those of a cluster. */
    serverUrls: string[];
    template: string;
  }
}

/**
 * Starts one temporary server for the run; every test file copies the migrated template database. With CITUS_URL, the address
 * of a coordinator, databases are made on its cluster, and their tables are distributed.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { CITUS_URL } = process.env;
  if (CITUS_URL) return setUpCluster(project, CITUS_URL);
  process.stderr.write('CITUS_URL names no cluster: what is tested on distributed tables alone does not run.\n');
  const folder = makeTemporaryFolder();
  const server = await startEmbeddedPostgres({
    dir: join(folder, 'postgres'),
    port: await freePort(),
    durable: false,
    // Autovacuum would go through hundreds of short-lived databases one after another. A file may open 60 connections.
    extraOptions: ['autovacuum=off', 'max_connections=300'],
  });
  const admin = makePool(server.url, 1);
  await admin.query('create database template_lotwatch');
  await admin.end();
  const templateUrl = server.url.replace(/\/postgres$/, '/template_lotwatch');
  const orm = await makeMigratingOrm(templateUrl);
  await orm.migrator.up();
  await orm.close(true);
  // Tests also claim messages without the engine, which would do this.
  const template = makePool(templateUrl, 1);
  await inTransaction(template, acceptServer);
  // What the version before leaves out is completed for it, and not for this one.
  await template.query('alter table matches disable trigger complete_old');
  await template.end();
  project.provide('postgresUrl', server.url);
  project.provide('serverUrls', [server.url]);
  project.provide('template', 'template_lotwatch');
  return async () => {
    await server.stop();
    // Hundreds of databases take ten seconds, for which the next tests don't wait.
    spawn('rm', ['-rf', folder], { stdio: 'ignore', detached: true }).unref();
  };
}
