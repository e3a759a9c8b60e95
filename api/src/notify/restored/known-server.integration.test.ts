import { afterAll, beforeEach, expect, it } from 'vitest';
import { chooseForTest } from '../../../test/layouts.ts';
import { type OwnServer, startOwnServer } from '../../../test/positions/own-server.ts';
import { inTransaction, makePool, type Pool } from '../../base/database.ts';
import { silentLog } from '../../base/log.ts';
import { beginClaim } from '../claim.ts';
import { forgetHeld, isHeldAfterRestore } from './held-channels.ts';
import { declareSynchronous, knowServer } from './know-server.ts';
import { isNotSendable } from './running-server.ts';

let server: OwnServer;
const closing: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  // The server of these tests is one alone, also where others run on a cluster.
  chooseForTest('plain');
  server = await startOwnServer();
  closing.push(() => server.stop());
});
afterAll(async () => {
  for (const close of closing.toReversed()) await close();
});

function open(url: string): Pool {
  const pool = makePool(url, 2);
  closing.push(() => pool.end());
  return pool;
}
const claim = (pool: Pool) =>
  inTransaction(pool, async (client) => (await client.query('select 7 as n')).rows, beginClaim('email')).then(
    () => 'claimed',
    (error: unknown) => (isNotSendable(error) ? 'refused' : error),
  );
const held = async (pool: Pool) => (await pool.query('select held from restores')).rowCount;
async function isHeld(pool: Pool): Promise<boolean> {
  forgetHeld(pool);
  return isHeldAfterRestore(pool, 'email', silentLog);
}

it('nothing is claimed through a server before it is known, and a crash or a restart holds nothing', async () => {
  const pool = open(server.url);
  expect(await claim(pool)).toBe('refused');
  await knowServer(pool, silentLog);
  expect(await claim(pool)).toBe('claimed');
  for (const again of [server.crash, server.restart]) {
    await again();
    expect(await claim(pool)).toBe('refused');
    expect(await isHeld(pool)).toBe(false);
    expect(await claim(pool)).toBe('claimed');
  }
  expect(await held(pool)).toBe(0);
}, 90_000);

it('a promoted standby holds its messages, in every claim, until they are released', async () => {
  const pool = open(server.url);
  await knowServer(pool, silentLog);
  const standby = await server.startStandby();
  closing.push(() => standby.stop());
  await server.kill();
  await standby.promote();
  const promoted = open(standby.url);
  expect(await claim(promoted)).toBe('refused');
  await Promise.all([knowServer(promoted, silentLog), knowServer(promoted, silentLog)]);
  expect([await held(promoted), await claim(promoted), await isHeld(promoted)]).toEqual([1, 'refused', true]);
  await promoted.query("update restores set held = '{}'");
  expect([await claim(promoted), await isHeld(promoted)]).toEqual(['claimed', false]);
}, 90_000);

it('with synchronous claims nothing leaves without a standby, and its promotion holds nothing', async () => {
  const pool = open(server.url);
  await declareSynchronous(pool, silentLog, true);
  expect([await claim(pool), await isHeld(pool)]).toEqual(['refused', true]);
  const standby = await server.startStandby();
  closing.push(() => standby.stop());
  await pool.query("alter system set synchronous_standby_names = '*'");
  await pool.query('select pg_reload_conf()');
  await expect.poll(() => claim(pool)).toBe('claimed');
  await server.kill();
  await standby.promote();
  const promoted = open(standby.url);
  await declareSynchronous(promoted, silentLog, true);
  // It has no standby itself.
  expect([await held(promoted), await claim(promoted)]).toEqual([0, 'refused']);
  await declareSynchronous(promoted, silentLog, false);
  expect([await held(promoted), await claim(promoted)]).toEqual([0, 'claimed']);
}, 90_000);
