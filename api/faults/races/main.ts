import { parseArgs } from 'node:util';
import { progress, readCount } from '../../lab/command-line.ts';
import { makeRandom } from '../../lab/random.ts';
import { startThrowAway } from '../../lab/throw-away.ts';
import { isDistributed } from '../../src/placement/layout.ts';
import type { Breach, BreachKind } from './check-pairs.ts';
import { isRaceFault, type RaceFaultName, raceFaults } from './injected-faults.ts';
import { type RaceFindings, runRaces } from './run-races.ts';
import { troubledCommits } from './troubled-commits.ts';

const SHOWN = 20;

interface Options {
  rounds: number;
  seed: number;
  inject: RaceFaultName | null;
  /** In a hundred. */
  late: number;
  cut: number;
}

function readOptions(): Options {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ options: { rounds: text, seed: text, plant: text, late: text, cut: text } });
  const { plant: inject = null } = values;
  if (inject !== null && !isRaceFault(inject))
    throw new Error(`--plant is one of ${Object.keys(raceFaults).join(', ')}`);
  return {
    rounds: readCount('rounds', values.rounds) ?? 10_000,
    seed: readCount('seed', values.seed) ?? 1,
    inject,
    late: readCount('late', values.late) ?? 0,
    cut: readCount('cut', values.cut) ?? 0,
  };
}

function lineOf(found: RaceFindings) {
  const of = (kind: BreachKind) => found.breaches.filter((breach) => breach.kind === kind).length;
  return {
    rounds: found.rounds,
    operations: found.operations,
    pairs: found.pairs,
    mails: found.mails,
    missing: of('missing'),
    extra: of('extra'),
    doubled: of('doubled'),
    late: of('late'),
    limitsPassed: of('limit'),
    unexpected: of('unexpected'),
    unannounced: found.unannounced.length,
    conflicts: found.conflicts,
    latestClaimMs: Math.round(found.latestClaimMs),
  };
}

try {
  const options = readOptions();
  const startedAt = performance.now();
  const { late, cut } = options;
  // Of those that are cut, a third reaches the server, whose answer is lost.
  using trouble = troubledCommits({
    late: late / 100,
    cut: (cut / 100) * (2 / 3),
    unanswered: cut / 300,
    decidedLate: 0,
    random: makeRandom(options.seed + 2),
  });
  await using db = await startThrowAway(late + cut > 0 ? { reach: trouble.reach } : {});
  if (late + cut > 0) trouble.begin(db.pool);
  // Nothing is killed here, so commits need not wait for the disk.
  if (!isDistributed()) {
    await db.pool.query('alter system set synchronous_commit = off');
    await db.pool.query('select pg_reload_conf()');
  }
  let shown = 0;
  const onBreach = ({ kind, world, what }: Breach) => {
    shown += 1;
    if (shown <= SHOWN) progress(`${kind} in world ${world}: ${what}`);
  };
  const races = runRaces(db, {
    ...options,
    losesCommits: cut > 0,
    ...(late + cut > 0 && { notedEarlyMs: trouble.notedEarlyMs }),
    progress,
    onBreach,
  });
  const found = await races.finally(() => trouble.end());
  if (options.inject !== null && found.injected === 0) progress(`The fault ${options.inject} changed no statement`);
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
  const { seed, inject: plant } = options;
  process.stdout.write(
    `${JSON.stringify({ races: true, seed, plant, ...lineOf(found), commits: trouble.counts(), seconds })}\n`,
  );
  if (found.breaches.length > 0) process.exitCode = 1;
} catch (error) {
  progress(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exitCode = 1;
}
