import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterEach, expect, it } from 'vitest';
import { makeHealth } from './health.ts';
import { healthRoutes } from './health-routes.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

type Query = () => Promise<{ rows: unknown[] }>;

async function serve(query: Query, past?: Query, isPublic = false) {
  const poolOf = (asked: Query) => ({ query: asked, end: async () => {} }) as never;
  const health = makeHealth('postgres://unused', 'postgres://unused', {
    pool: poolOf(query),
    ...(past && { past: poolOf(past) }),
    timeoutMs: 200,
  });
  const server = express().use(healthRoutes(health, { isPublic })).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  closing.push(
    () => void server.close(),
    () => server.closeAllConnections(),
  );
  const { port } = server.address() as AddressInfo;
  const ask = async (path: string, field = 'status') => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`);
    return [answer.status, ((await answer.json()) as Record<string, string>)[field]];
  };
  return { health, ask };
}

const migrated: Query = async () => ({ rows: [{}] });

it.each<[string, Query, number, string]>([
  ['answers', migrated, 200, 'ok'],
  ['lacks a migration', async () => ({ rows: [] }), 503, 'database not migrated'],
  ['is away', () => Promise.reject(new Error('connect ECONNREFUSED')), 503, 'database unreachable'],
  ['is silent', () => new Promise(() => {}), 503, 'database unreachable'],
])('a process whose database %s', async (_what, query, status, text) => {
  const { health, ask } = await serve(query);
  health.start();
  for (const path of ['/readyz', '/healthz']) expect(await ask(path)).toEqual([status, text]);
  expect(await ask('/livez')).toEqual([200, 'ok']);
});

const away: Query = () => Promise.reject(new Error('connect ECONNREFUSED'));

it.each<[string, Query, Query, number, string]>([
  ['the pooler', away, migrated, 503, 'pooler unreachable'],
  ['the way past the pooler', migrated, away, 503, 'database unreachable past the pooler'],
  ['the database', away, away, 503, 'database unreachable'],
  ['nothing', migrated, migrated, 200, 'ok'],
])('says that %s is away', async (_what, throughPooler, past, status, text) => {
  const { health, ask } = await serve(throughPooler, past);
  health.start();
  expect(await ask('/readyz')).toEqual([status, text]);
});

it('is not ready before its start, nor while it drains, and lives', async () => {
  const { health, ask } = await serve(migrated);
  expect(await ask('/readyz')).toEqual([503, 'starting']);
  health.start();
  expect(await ask('/readyz')).toEqual([200, 'ok']);
  health.drain();
  expect(await ask('/readyz')).toEqual([503, 'draining']);
  expect(await ask('/livez')).toEqual([200, 'ok']);
});

it('stays ready and says so while the store of the schedule is away', async () => {
  const { health, ask } = await serve(migrated);
  health.start();
  health.setJobStore(false);
  expect(await ask('/readyz', 'jobStore')).toEqual([200, 'unreachable']);
  expect(await ask('/readyz')).toEqual([200, 'ok']);
  health.setJobStore(true);
  expect(await ask('/readyz', 'jobStore')).toEqual([200, undefined]);
});

it('stays ready and names the servers of a cluster that are away', async () => {
  const { health, ask } = await serve(migrated);
  health.start();
  health.setAwayServers(['10.0.0.6:5432']);
  expect(await ask('/readyz', 'awayServers')).toEqual([200, ['10.0.0.6:5432']]);
  health.setAwayServers([]);
  expect(await ask('/readyz', 'awayServers')).toEqual([200, undefined]);
});

it('tells nobody at the public port where the servers of a cluster are', async () => {
  const { health, ask } = await serve(migrated, undefined, true);
  health.start();
  health.setAwayServers(['10.0.0.6:5432']);
  expect(await ask('/readyz', 'awayServers')).toEqual([200, undefined]);
});

it('asks the database once for all who ask at the same time', async () => {
  let asked = 0;
  const { health } = await serve(async () => {
    asked++;
    return { rows: [{}] };
  });
  health.start();
  // Over HTTP, a busy machine would take longer than the answer is shared.
  expect(new Set(await Promise.all(Array.from({ length: 20 }, () => health.read())))).toEqual(new Set(['ok']));
  expect(asked).toBe(1);
});
