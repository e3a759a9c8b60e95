import { parseArgs } from 'node:util';
import { startThrowAway } from '../../bench/rig/throw-away.ts';
import type { Breach, BreachKind } from './check-pairs.ts';
import { isPlant, type Plant, plants } from './plants.ts';
import { type RaceFindings, runRaces } from './run-races.ts';

const SHOWN = 20;
const progress = (text: string) => process.stderr.write(`${text}\n`);

function count(name: string, text: string | undefined, otherwise: number): number {
  const number = text === undefined ? otherwise : Number(text);
  if (!Number.isSafeInteger(number) || number < 1) throw new Error(`--${name} is a whole number from 1, not ${text}`);
  return number;
}

function readOptions(): { rounds: number; seed: number; plant: Plant | null } {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ options: { rounds: text, seed: text, plant: text } });
  const { plant = null } = values;
  if (plant !== null && !isPlant(plant)) throw new Error(`--plant is one of ${Object.keys(plants).join(', ')}`);
  return { rounds: count('rounds', values.rounds, 10_000), seed: count('seed', values.seed, 1), plant };
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
    untold: found.untold.length,
    latestClaimMs: Math.round(found.latestClaimMs),
  };
}

try {
  const options = readOptions();
  const startedAt = performance.now();
  const db = await startThrowAway();
  // Nothing is killed here: what the disk holds is the fault run's to try.
  await db.pool.query('alter system set synchronous_commit = off');
  await db.pool.query('select pg_reload_conf()');
  try {
    let shown = 0;
    const onBreach = ({ kind, world, what }: Breach) => {
      shown += 1;
      if (shown <= SHOWN) progress(`${kind} in world ${world}: ${what}`);
    };
    const found = await runRaces(db, { ...options, progress, onBreach });
    if (options.plant !== null && found.planted === 0)
      progress(`The plant ${options.plant} found no statement to change`);
    const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
    const { seed, plant } = options;
    process.stdout.write(`${JSON.stringify({ races: true, seed, plant, ...lineOf(found), seconds })}\n`);
    if (found.breaches.length > 0) process.exitCode = 1;
  } finally {
    await db.stop();
  }
} catch (error) {
  progress(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exitCode = 1;
}
