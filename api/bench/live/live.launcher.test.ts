/** @module-tag long */
import { expect, it } from 'vitest';
import { benchLive } from './live.ts';

it('delivers to twenty subscribers through api and worker, with none missed and none doubled', async () => {
  const { line } = await benchLive({ seed: 3, subscribers: 20, seconds: 2 }, 2);
  const figure = expect.any(Number);
  expect(line).toMatchObject({
    bench: 'live',
    subscribers: 20,
    delivered: Number(line.listings) * 10,
    p50Ms: figure,
    p95Ms: figure,
    p99Ms: figure,
    missed: 0,
    doubled: 0,
    strangers: 0,
    restarts: 0,
    bare: { p95Ms: figure },
    fanOut: { rounds: 1, lastMs: figure, bareLastMs: figure, ratio: figure },
  });
  expect(line.listings).toBeGreaterThan(10);
});
