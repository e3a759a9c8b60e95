import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import type { Queryable } from '../base/database.ts';
import { untilServersAnswer, watchServers } from './watch-servers.ts';

it('says once that a server is away, and that it answers again', async () => {
  const answers = [[], ['10.0.0.6:5432'], ['10.0.0.6:5432'], []];
  const said: unknown[] = [];
  const states: (readonly string[])[] = [];
  const db = {
    query: async (text: string) => ({
      rows: text.includes('run_command_on_all_nodes') ? (answers.shift() ?? []).map((server) => ({ server })) : [],
    }),
  } as unknown as Queryable;
  const say = (message: string, fields?: object) => void said.push([message.split(':')[0], fields]);
  const stop = watchServers(db, {
    log: { info: say, warn: say, error: say },
    onAway: (servers) => void states.push(servers),
    checkMs: 5,
  });
  await expect.poll(() => states.length).toBeGreaterThan(4);
  await stop();
  expect(states.slice(0, 4)).toEqual([[], ['10.0.0.6:5432'], ['10.0.0.6:5432'], []]);
  const server = '10.0.0.6:5432';
  expect(said).toEqual([
    ['a server of the cluster does not answer', { server }],
    ['a server of the cluster answers again', { server }],
  ]);
});

describe('a worker that is started', () => {
  const log = { info: () => {}, warn: () => {}, error: vi.fn() };

  it('waits until all servers of a cluster answer, and says so once', async () => {
    const servers = [{ server: '10.0.0.6:5432' }];
    const answers = [[{ is: true }], [{ layout: 'citus' }], servers, servers, []];
    const db = { query: async () => ({ rows: answers.shift() }) } as unknown as Queryable;
    const onWait = vi.fn(async () => {});
    await untilServersAnswer(db, log, onWait, 1);
    expect(log.error.mock.calls).toEqual([[expect.any(String), { servers: ['10.0.0.6:5432'] }]]);
    expect([onWait.mock.calls.length, answers]).toEqual([2, []]);
  });

  it('waits for none where the tables are on one server', async () => {
    const answers = [[{ is: true }], [{ layout: 'plain' }]];
    const db = { query: async () => ({ rows: answers.shift() }) } as unknown as Queryable;
    await untilServersAnswer(db, log, async () => {});
    expect(answers).toEqual([]);
  });
});

it('says once which shard was moved past LotWatch', async () => {
  const said: string[] = [];
  let checks = 0;
  const db = {
    query: async (text: string) => {
      if (text.includes('run_command_on_all_nodes')) checks += 1;
      if (text.includes('run_command_on_shards')) return { rows: [{ id: 102_040, success: true, result: 'f' }] };
      if (text.includes('pg_dist_shard_placement')) return { rows: [{ id: 102_040, host: 'b', port: 5432, bytes: 8 }] };
      return { rows: [] };
    },
  } as unknown as Queryable;
  const log = {
    info: () => {},
    warn: () => {},
    error: (_: string, fields?: object) => void said.push(JSON.stringify(fields)),
  };
  const stop = watchServers(db, { log, onAway: () => {}, checkMs: 1 });
  await expect.poll(() => checks).toBeGreaterThan(30);
  await stop();
  expect(said).toEqual([JSON.stringify({ shard: '102040 b:5432' })]);
});

it('asks again only when the servers have answered, and stops with the question that is open', async () => {
  let asked = 0;
  let answer = () => {};
  const db = {
    query: () => {
      asked += 1;
      return new Promise((resolve) => {
        answer = () => resolve({ rows: [] });
      });
    },
  } as unknown as Queryable;
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const stop = watchServers(db, { log, onAway: () => {}, checkMs: 1 });
  await sleep(30);
  const stopped = stop();
  // The servers are asked, what is in doubt is decided, then the shards are asked.
  answer();
  await expect.poll(() => asked).toBeGreaterThan(1);
  for (let rest = 0; rest < 6; rest += 1) await sleep(1).then(answer);
  await stopped;
  expect(asked).toBe(4);
});

it('decides at each look what is in doubt, until the role is refused that', async () => {
  const answers: (number | Error)[] = [0, 2, Object.assign(new Error('permission denied'), { code: '42501' })];
  const said: unknown[] = [];
  let looks = 0;
  let asked = 0;
  const db = {
    query: async (text: string) => {
      if (text.includes('run_command_on_all_nodes')) looks += 1;
      if (!text.includes('recover_prepared_transactions')) return { rows: [] };
      const answer = answers[asked++];
      if (answer instanceof Error) throw answer;
      return { rows: [{ count: answer }] };
    },
  } as unknown as Queryable;
  const log = {
    info: (message: string, fields?: object) => void said.push([message, fields]),
    warn: (message: string) => void said.push(message.split(',')[0]),
    error: () => {},
  };
  const stop = watchServers(db, { log, onAway: () => {}, checkMs: 1 });
  await expect.poll(() => looks).toBeGreaterThan(6);
  await stop();
  expect(asked).toBe(3);
  expect(said).toEqual([
    ['transactions in doubt were decided', { transactions: 2 }],
    'the role may not decide transactions in doubt',
  ]);
});
