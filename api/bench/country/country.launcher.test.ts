/** @module-tag long */
import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { measureCountry } from './country.ts';

const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('lotwatch-bench-'));

it('measures listings at the rate of five million a day and a burst, and finds every pair of the oracle', async () => {
  const before = folders();
  const { line, missed } = await measureCountry(3, {
    alerts: 60_000,
    seconds: 12,
    sample: { alerts: 3_000, listings: 20_000 },
  });
  expect(missed).toEqual([]);
  expect(line).toMatchObject({ bench: 'country', alerts: 60_000, missing: 0, extra: 0, failures: [] });
  expect(line.bursts).toMatchObject([{ listings: expect.any(Number), backlogSeconds: expect.any(Number) }]);
  for (const name of ['pairsAListing', 'rowsPerSecond', 'listings', 'checked']) expect(line[name]).toBeGreaterThan(0);
  for (const name of ['steady', 'inBursts', 'pages']) expect(line[name]).toMatchObject({ p95Ms: expect.any(Number) });
  expect(line.gigabytesADay).toMatchObject({ matches: expect.any(Number), wal: expect.any(Number) });
  expect(folders().filter((name) => !before.includes(name) && existsSync(`${tmpdir()}/${name}/postgres`))).toEqual([]);
}, 180_000);
