import { describe, expect, it } from 'vitest';
import { allocateForApi, allocateForWorker, logConnections } from './connections.ts';
import type { Pool } from './database.ts';
import type { Log } from './log.ts';

describe('the connections of a process', () => {
  it.each([
    [12, { statements: 5, entities: 2, billing: 2, listener: 1, health: 2 }],
    [20, { statements: 8, entities: 5, billing: 4, listener: 1, health: 2 }],
    [31, { statements: 14, entities: 9, billing: 5, listener: 1, health: 2 }],
    [100, { statements: 56, entities: 36, billing: 5, listener: 1, health: 2 }],
  ])('are divided for an API process with %i', (most, shares) => {
    expect(allocateForApi(most)).toEqual(shares);
  });

  it.each([
    [12, 'PostgreSQL', { statements: 6, schedule: 1, partitions: 1, billing: 1, listener: 1, health: 2 }],
    [20, 'PostgreSQL', { statements: 12, schedule: 2, partitions: 1, billing: 2, listener: 1, health: 2 }],
    [20, 'MongoDB', { statements: 14, schedule: 0, partitions: 1, billing: 2, listener: 1, health: 2 }],
    [100, 'PostgreSQL', { statements: 87, schedule: 4, partitions: 1, billing: 5, listener: 1, health: 2 }],
  ] as const)('of a worker with %i whose jobs are in %s', (most, keepsJobs, shares) => {
    expect(allocateForWorker(most, keepsJobs)).toEqual(shares);
  });

  it('are all used, and each pool gets some', () => {
    for (let most = 12; most <= 1000; most += 1) {
      const { schedule, ...ofMongo } = allocateForWorker(most, 'MongoDB');
      expect(schedule).toBe(0);
      for (const shares of [allocateForApi(most), allocateForWorker(most, 'PostgreSQL'), ofMongo]) {
        expect(Math.min(...Object.values(shares))).toBeGreaterThan(0);
        expect(Object.values(shares).reduce((sum, share) => sum + share)).toBe(most);
      }
    }
  });

  it.each([
    [97, 0],
    [20, 0],
    [19, 1],
  ])('are logged with the %i that the server allows', async (most, warnings) => {
    const lines: unknown[][] = [];
    const warned: unknown[][] = [];
    const log = { info: (...line) => lines.push(line), warn: (...line) => warned.push(line) } as Partial<Log> as Log;
    const pool = { query: () => Promise.resolve({ rows: [{ most }] }) } as unknown as Pool;
    await logConnections(pool, allocateForApi(20), log, 'postgres://here');
    expect(lines).toEqual([
      [
        'maximum of database connections',
        { statements: 8, entities: 5, billing: 4, listener: 1, health: 2, sum: 20, serverMaximum: most },
      ],
    ]);
    expect(warned).toHaveLength(warnings);
  });
});
