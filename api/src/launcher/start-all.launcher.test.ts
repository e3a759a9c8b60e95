import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  findRunning,
  launchLotWatch,
  partOf,
  processTree,
  type RunningLotWatch,
  untilServed,
} from '../../test/running-lotwatch.ts';
import { setUpFolder } from '../../test/set-up.ts';
import { makePool } from '../base/database.ts';
import { isAlive } from './processes/os-processes.ts';

const dataDir = join(setUpFolder(), 'data');
let running: RunningLotWatch;

afterAll(async () => {
  const { pid, process: launcher, ended } = running;
  if (isAlive(pid)) launcher.kill('SIGTERM');
  await ended;
});

const readyLine = /LotWatch is ready at http:\/\/localhost:\d+ .*\n/;

async function launch(): Promise<void> {
  running = await launchLotWatch(dataDir);
  await untilServed(running);
}

async function start(): Promise<void> {
  await launch();
  // The page is served shortly before the terminal shows it.
  await expect.poll(() => running.output(), { timeout: 10_000 }).toMatch(readyLine);
}

const modeOf = (name: string): number => statSync(join(dataDir, name)).mode & 0o777;

async function ask<Row extends object>(statement: string): Promise<Row[]> {
  const pool = makePool(readFileSync(join(dataDir, 'database-url'), 'utf8').trim(), 1);
  try {
    return (await pool.query<Row>(statement)).rows;
  } finally {
    await pool.end();
  }
}

const userCount = async (): Promise<number> =>
  (await ask<{ n: number }>('select count(*) as n from users where id = 1'))[0]?.n ?? -1;

// A start takes seconds, so each test goes on with what the one before left.
describe('npm start', () => {
  it('prepares everything, protects its secrets and shows the password once', async () => {
    await start();
    await expect
      .poll(() => running.output(), { timeout: 10_000 })
      .toMatch(/Sign in as admin with the password \S{12,}/);
    expect(['', 'database-url', 'session-secret', 'postgres.password', 'demo-seed', 'lock'].map(modeOf)).toEqual([
      0o700, 0o600, 0o600, 0o600, 0o600, 0o600,
    ]);
    expect(await userCount()).toBe(1);
    // API and worker use the role that can't change the audit log.
    expect(
      await ask(
        `select distinct usename as role from pg_stat_activity
          where application_name ~ '^lotwatch-(api|worker|listener|entities|agenda)'`,
      ),
    ).toEqual([{ role: 'lotwatch' }]);
    expect(
      (await fetch(`${running.url}/graphql?query=%7Bme%7Bid%7D%7D`, { headers: { 'apollo-require-preflight': '1' } }))
        .status,
    ).toBe(200);
  });

  it('leaves no process behind after kill -9, and starts again', async () => {
    const family = processTree(running.pid).map(({ pid }) => pid);
    expect(family.length).toBeGreaterThan(5);
    running.process.kill('SIGKILL');
    expect(await findRunning(family)).toEqual([]);
    await start();
    expect(running.output()).not.toMatch(/password/);
    expect(await userCount()).toBe(1);
  });

  it('stops everything on a signal within 5 s, with exit code 0', async () => {
    const family = processTree(running.pid).map(({ pid }) => pid);
    running.process.kill('SIGINT');
    // npm forwards the signal of the terminal, so that it arrives twice.
    running.process.kill('SIGINT');
    expect(await findRunning(family)).toEqual([]);
    expect(await running.ended).toBe(0);
    expect(running.output()).toMatch(/All of it is stopped/);
    expect(existsSync(join(dataDir, 'lock'))).toBe(false);
  });

  it('reports that its port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const address = other.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    try {
      const refused = await launchLotWatch(dataDir, { PORT: String(port) });
      expect(await refused.ended).toBe(1);
      expect(refused.output()).toContain(`Port ${port} on 127.0.0.1 is in use`);
    } finally {
      other.close();
    }
  });

  it('reports all errors of its settings together', async () => {
    const refused = await launchLotWatch(dataDir, { ROLE: 'everything', DEMO_PER_SECOND: '0', RATE_LIMITS: 'maybe' });
    expect(await refused.ended).toBe(1);
    for (const name of ['ROLE', 'DEMO_PER_SECOND', 'RATE_LIMITS']) expect(refused.output()).toContain(`${name}:`);
  });

  describe('once it runs', () => {
    beforeAll(launch);

    it('reports the holder of the data folder to a second start', async () => {
      const first = running;
      const second = await launchLotWatch(dataDir);
      expect(await second.ended).toBe(1);
      expect(second.output()).toContain(`process ${first.pid} has held it since`);
      expect(second.output()).toContain(`http://localhost:${first.port}`);
      expect((await fetch(first.url)).status).toBe(200);
    });

    it.each(['worker', 'api', 'postgres', 'demo', 'sandbox'] as const)(
      'starts a killed %s again within seconds',
      async (part) => {
        const before = partOf(running, part);
        process.kill(before, 'SIGKILL');
        // At once on a free machine. A part that has died once isn't waited for, as one that dies repeatedly is.
        const deadline = Date.now() + 5000;
        await expect
          .poll(
            () => {
              try {
                return partOf(running, part);
              } catch {
                return before;
              }
            },
            { timeout: 10_000, interval: 50 },
          )
          .not.toBe(before);
        expect(Date.now()).toBeLessThan(deadline);
        const name = part === 'postgres' ? 'PostgreSQL' : part;
        await expect.poll(() => running.output(), { timeout: 20_000 }).toContain(`${name} is back after`);
        await untilServed(running, 20_000);
        expect(isAlive(running.pid)).toBe(true);
      },
    );

    it('gives up on a part that exits five times in a minute, and reports the reason', async () => {
      // The first of the five was above.
      for (let death = 2; death <= 5; death += 1) {
        process.kill(partOf(running, 'demo'), 'SIGKILL');
        if (death < 5) {
          await expect.poll(() => running.output().split('demo is back').length, { timeout: 15_000 }).toBe(death + 1);
        }
      }
      expect(await running.ended).toBe(1);
      expect(running.output()).toMatch(/demo ended 5 times within a minute/);
    });
  });
});
