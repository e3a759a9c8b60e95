import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { untilTrue } from '../../lab/until-true.ts';
import { makeTcpProxy } from '../../test/tcp-proxy.ts';
import { startEmbeddedPostgres } from '../launcher/postgres/embedded-postgres.ts';
import { makeWhileAwaited } from './awaited-query.ts';
import { type Client, makePool, type Pool } from './database.ts';
import { freePort } from './free-port.ts';

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
const certificate = [
  ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
  ...['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'],
];
/** What a client sends that asks for TLS, in place of a statement or of a request to cancel one in the clear. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]).toString('latin1');

/** Writes a file into the folder of a server, readable by its own user only. */
const writeFile = (pool: Pool, name: string, text: string) =>
  pool.query(`copy (select unnest(string_to_array('${text.trim()}', E'\\n'))) to program 'umask 077; cat > ${name}'`);

/** Starts a server that takes statements over TLS alone. @returns its address, with the certificate to trust */
async function startTlsServer(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'lotwatch-tls-'));
  const files = { key: join(folder, 'key.pem'), cert: join(folder, 'cert.pem') };
  execFileSync('openssl', [...certificate, '-keyout', files.key, '-out', files.cert], { stdio: 'ignore' });
  const server = await startEmbeddedPostgres({ dir: join(folder, 'postgres'), port: await freePort(), durable: false });
  onTestFinished(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const pool = makePool(server.url, 1);
  await writeFile(pool, 'server.key', readFileSync(files.key, 'utf8'));
  await writeFile(pool, 'server.crt', readFileSync(files.cert, 'utf8'));
  await writeFile(pool, 'pg_hba.conf', 'hostssl all all all scram-sha-256');
  await pool.query('alter system set ssl = on');
  await pool.query('select pg_reload_conf()');
  await pool.end();
  return `${server.url}?sslmode=verify-full&sslrootcert=${encodeURIComponent(files.cert)}`;
}

const processOf = async (client: Client) => (await client.query('select pg_backend_pid() as pid')).rows[0]?.pid;

it.skipIf(!hasOpenssl)('the server ends a statement whose caller leaves also where it takes TLS alone', async () => {
  const url = await startTlsServer();
  await untilTrue('TLS alone', 10_000, async () => {
    const plain = makePool(url.replace(/\?.*/, ''), 1);
    const refused = await plain.query('select 1').then(String, String);
    await plain.end();
    return refused.includes('no encryption');
  });
  const proxy = await makeTcpProxy(url);
  await proxy.open();
  const pool = makePool(proxy.url, 1);
  const admin = makePool(url, 1);
  onTestFinished(async () => {
    await pool.end();
    await admin.end();
    await proxy.close();
  });
  const whileAwaited = makeWhileAwaited(pool, 1);
  const leaving = new AbortController();
  const first = await whileAwaited(leaving.signal, processOf);
  const isSecure = 'select ssl from pg_stat_ssl where pid = $1';
  expect((await admin.query(isSecure, [first])).rows).toEqual([{ ssl: true }]);
  const left = whileAwaited(leaving.signal, (client) => client.query('select pg_sleep(100)'));
  await untilTrue('sleeping', 10_000, async () => {
    const sql = "select from pg_stat_activity where pid = $1 and query like 'select pg_sleep%' and state = 'active'";
    return (await admin.query(sql, [first])).rowCount === 1;
  });
  leaving.abort();
  await expect(left).rejects.toThrow('canceling statement due to user request');
  // It was cancelled in time, so the connection serves others.
  expect(await pool.query('select pg_backend_pid() as pid')).toMatchObject({ rows: [{ pid: first }] });
  expect(proxy.firstBytes).toEqual([SSL_REQUEST, SSL_REQUEST]);
});
