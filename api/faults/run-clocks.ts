import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { progress } from './progress.ts';
import { type RunOptions, type RunResult, runFaults } from './run-faults.ts';
import { fakeTimeLibrary } from './system/clocks.ts';
import { startMongoStandIn } from './system/mongo.ts';

/** A right one beside one that is eleven minutes ahead and one that is a day behind. */
const CLOCKS = [null, '+11m', '-1d'] as const;

const sum = (lines: readonly Record<string, unknown>[], name: string): number =>
  lines.reduce((total, line) => total + Number(line[name]), 0);

/**
 * Three workers whose clocks differ, first with their jobs in PostgreSQL, then in the stand-in for MongoDB; each has
 * half of the acts, which are kills. What can't be had here is said, and is no fault.
 */
export async function runClocks(options: Omit<RunOptions, 'clocks' | 'mongoUrl'>): Promise<RunResult> {
  if (fakeTimeLibrary() === null) {
    progress('!!! NOT TESTED: workers whose clocks are wrong. Install faketime (libfaketimeMT.so.1). !!!');
    return { line: { faults: true, clocks: 'not tested: no faketime here' }, faults: [] };
  }
  const acts = Math.max(1, Math.round(options.acts / 2));
  const run = (name: string, mongoUrl?: string) => {
    const folder = join(options.folder, name);
    mkdirSync(folder, { recursive: true });
    return runFaults({ ...options, acts, only: ['kill'], folder, clocks: CLOCKS, ...(mongoUrl && { mongoUrl }) });
  };
  const results: Record<string, RunResult> = { postgres: await run('postgres') };
  const standIn = await startMongoStandIn(options.folder);
  if (standIn) results.mongo = await run('mongo', standIn.url).finally(() => standIn.stop());
  else progress('!!! NOT TESTED: jobs kept in MongoDB. The tests build a stand-in where Go is there. !!!');

  const lines = Object.values(results).map(({ line }) => line);
  const names = ['acts', 'listings', 'expected', 'missing', 'extra', 'doubled', 'lost', 'mailsExpected', 'mailsLost'];
  const totals = Object.fromEntries([...names, 'mailsDoubled'].map((name) => [name, sum(lines, name)]));
  return {
    line: {
      faults: true,
      ...totals,
      seed: options.seed,
      clocks: CLOCKS.map((clock) => clock ?? 'right'),
      jobs: Object.fromEntries(Object.entries(results).map(([name, { line }]) => [name, line])),
      ...(standIn ? {} : { mongo: 'not tested: no stand-in here' }),
    },
    faults: Object.entries(results).flatMap(([name, { faults }]) => faults.map((fault) => `${name}: ${fault}`)),
  };
}
