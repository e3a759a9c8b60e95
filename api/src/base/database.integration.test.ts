import { expect, it } from 'vitest';
import { setUpDatabase } from '../../test/database.ts';
import { makeTcpProxy } from '../../test/tcp-proxy.ts';
import { makeOrm } from '../entities/orm.ts';
import { startAgenda } from '../jobs/schedule/agenda.ts';
import { makePool, waitForDatabase } from './database.ts';
import { startListener } from './listener.ts';
import { silentLog } from './log.ts';

const db = setUpDatabase();

it('waits for a server that has not started yet', async () => {
  const proxy = await makeTcpProxy(db.url);
  let there = false;
  const waiting = waitForDatabase(proxy.url, silentLog).then(() => {
    there = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(there).toBe(false);
  await proxy.open();
  await waiting;
  await proxy.close();
});

it('waits while a server refuses connections', async () => {
  const name = new URL(db.url).pathname.slice(1);
  const limit = (most: number) => db.pool.query(`alter database ${name} connection limit ${most}`);
  await db.pool.query("create role passer login password 'passer'");
  const url = new URL(db.url);
  url.username = 'passer';
  url.password = 'passer';
  await limit(0);
  const waiting = waitForDatabase(url.href, silentLog);
  const first = await Promise.race([waiting.then(() => 'there'), new Promise((resolve) => setTimeout(resolve, 600))]);
  expect(first).toBeUndefined();
  await limit(-1);
  await waiting;
  await db.pool.query('drop role passer');
});

it('does not wait after a permanent refusal, nor beyond the timeout', async () => {
  await expect(waitForDatabase(db.url.replace(/[^/]+$/, 'nowhere'), silentLog)).rejects.toThrow(/nowhere/);
  const proxy = await makeTcpProxy(db.url);
  await expect(waitForDatabase(proxy.url, silentLog, 300)).rejects.toThrow(/ECONNREFUSED/);
});

it('sets an idle timeout, so that a stopped process loses its locks', async () => {
  const rows = await db.rows('show idle_in_transaction_session_timeout');
  expect(rows).toEqual([{ idle_in_transaction_session_timeout: '15s' }]);
});

it('lets the server check for lost clients on every connection', async () => {
  const asked = { tcp_keepalives_idle: '10', tcp_keepalives_interval: '5', tcp_keepalives_count: '2' };
  const settings = "name in ('tcp_keepalives_idle', 'tcp_keepalives_interval', 'tcp_keepalives_count')";
  const shown = `select json_object_agg(name, setting) as shown from pg_settings where ${settings}`;
  const lost = 'show client_connection_check_interval';
  expect(await db.rows(shown)).toEqual([{ shown: asked }]);
  expect(await db.orm.em.fork().execute(shown)).toEqual([{ shown: asked }]);
  expect(await db.rows(lost)).toEqual([{ client_connection_check_interval: '5s' }]);
  expect(await db.orm.em.fork().execute(lost)).toEqual([{ client_connection_check_interval: '5s' }]);

  const proxy = await makeTcpProxy(db.url);
  await proxy.open();
  const pool = makePool(proxy.url, 1);
  const orm = await makeOrm(proxy.url, 1);
  const listener = await startListener(proxy.url, silentLog);
  const agenda = await startAgenda({ database: proxy.url, mongoUrl: undefined, runners: [], log: silentLog });
  await pool.query('select 1');
  await orm.em.fork().execute('select 1');
  await expect.poll(() => proxy.firstBytes.some((first) => first.includes('lotwatch-agenda'))).toBe(true);
  expect(proxy.firstBytes.length).toBeGreaterThanOrEqual(4);
  for (const first of proxy.firstBytes) {
    expect(first).toContain('-c tcp_keepalives_idle=10 ');
    expect(first).toContain('-c tcp_user_timeout=20000');
  }
  await agenda.close();
  await listener.close();
  await orm.close(true);
  await pool.end();
  await proxy.close();
});
