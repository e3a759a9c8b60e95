import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { type Intercept, interceptAllClients } from '../../lab/intercept-statements.ts';
import { makeRandom } from '../../lab/random.ts';
import { createOnServers, defineOnServers, rowsOfServers } from '../../lab/server-triggers.ts';
import { makePool, type Pool } from '../../src/base/database.ts';
import type { Orm } from '../../src/entities/orm.ts';
import { followChosenLayout } from '../../src/placement/follow-layout.ts';
import { isDistributed } from '../../src/placement/layout.ts';
import { injectFault } from '../failpoints/inject-fault.ts';
import { checkMails } from './check-mails.ts';
import { type Breach, checkLimits, makePairJudge } from './check-pairs.ts';
import { keepHistory } from './history.ts';
import { type RaceFault, type RaceFaultName, raceFaults } from './injected-faults.ts';
import { makePastReader } from './past-states.ts';
import { makeRacers } from './race-operations.ts';
import { makeWorld, seedRacePlan, startWorkers } from './race-workers.ts';

/** The name of clients that are not disturbed, as they judge. */
const JUDGE = 'race-judge';

const SHORT_PAUSE = { chance: 0.12, ms: 4 };
const LONG_PAUSE = { chance: 0.006, ms: 25 };

const nameOf = (client: Client) =>
  (client as Client & { connectionParameters: { application_name?: string } }).connectionParameters.application_name;

/**
 * Delays random statements of every client of this process, so that others come between two statements of a transaction.
 * @param inject changes the statements @returns a function that undoes it
 */
function disturbClients(random: () => number, inject: Intercept): () => void {
  /** The last delayed statement of each client, as later ones keep their order. */
  const waiting = new WeakMap<Client, Promise<unknown>>();

  function pauseMs(): number {
    const drawn = random();
    if (drawn < LONG_PAUSE.chance) return random() * LONG_PAUSE.ms;
    return drawn < LONG_PAUSE.chance + SHORT_PAUSE.chance ? random() * SHORT_PAUSE.ms : 0;
  }

  return interceptAllClients((client, statement, send) => {
    if (nameOf(client) === JUDGE) return send(statement);
    const ms = pauseMs();
    const before = waiting.get(client);
    if (ms === 0 && !before) return inject(client, statement, send);
    const sent = Promise.resolve(before)
      .then(() => sleep(ms))
      .then(() => ({ answer: inject(client, statement, send) }));
    waiting.set(client, sent);
    void sent.then(() => {
      if (waiting.get(client) === sent) waiting.delete(client);
    });
    return sent.then(({ answer }) => answer);
  });
}

interface RaceDatabase {
  url: string;
  pool: Pool;
  orm: Orm;
}

interface RaceOptions {
  rounds: number;
  seed: number;
  inject: RaceFaultName | null;
  /** How long before its commit on a server a recorded time may be. */
  notedEarlyMs?: number;
  /** Whether servers of a cluster lose commits. */
  losesCommits?: boolean;
  /** Whether to end at the first breach. */
  untilBreach?: boolean;
  progress?: (text: string) => void;
  /** Called with each breach that is found. */
  onBreach?: (breach: Breach) => void;
}

export interface RaceFindings {
  rounds: number;
  operations: number;
  /** Pairs seen as shown, counted once a round. */
  pairs: number;
  mails: number;
  latestClaimMs: number;
  /** Cars that no mail announced, although their alert watched all the time. */
  unannounced: string[];
  /** How often work of the workers was ended because of concurrent work on a cluster, and done again. */
  conflicts: number;
  /** How often the injected fault changed something. */
  injected: number;
  breaches: Breach[];
}

/** On a cluster, a round takes longer, most of which is waiting for servers; more would wait too long for connections. */
const concurrentWorlds = () => (isDistributed() ? 8 : 7);
/** How long before its commit a recorded time may be. */
const notedEarly = () => (isDistributed() ? 1_000 : 300);
const ROUNDS_A_WORLD = 25;
const matchingMs = () => (isDistributed() ? 120_000 : 30_000);
/** How often a world looks whether anything is pending. On a cluster each look asks all servers. */
const lookMs = () => (isDistributed() ? 250 : 4);

/** Runs rounds of concurrent operations, and judges each when all work of it is done. */
export async function runRaces(db: RaceDatabase, options: RaceOptions): Promise<RaceFindings> {
  const { rounds, seed, inject, notedEarlyMs = notedEarly(), losesCommits = false } = options;
  const { progress = () => {}, onBreach = () => {} } = options;
  const random = makeRandom(seed);
  await keepHistory(db.pool);
  await seedRacePlan(db.pool);
  const fault: RaceFault = inject ? raceFaults[inject] : {};
  if (fault.parts) await defineOnServers(db.pool, fault.parts);
  if (fault.trigger) await createOnServers(db.pool, fault.trigger);
  let injected = 0;
  const judge = makePool(db.url, 10, JUDGE);
  followChosenLayout(judge);
  const undisturb = disturbClients(
    makeRandom(seed + 1),
    injectFault(fault, () => {
      injected += 1;
    }),
  );
  const workers = startWorkers(db.url);
  const found: RaceFindings = {
    rounds: 0,
    operations: 0,
    pairs: 0,
    mails: 0,
    latestClaimMs: 0,
    unannounced: [],
    conflicts: 0,
    injected: 0,
    breaches: [],
  };
  const mailChecks: Promise<void>[] = [];
  const note = (breaches: readonly Breach[]) => {
    found.breaches.push(...breaches);
    breaches.forEach(onBreach);
  };
  let worldNumber = 0;
  let begun = 0;
  const continues = () => begun < rounds && !(options.untilBreach && found.breaches.length > 0);

  async function raceOneWorld(): Promise<void> {
    worldNumber += 1;
    const world = await makeWorld(judge, worldNumber);
    const racers = makeRacers({ ...db, random, losesCommits }, world);
    const readPast = makePastReader(judge, world);
    const pairs = makePairJudge(judge, world, notedEarlyMs);
    for (let round = 0; round < ROUNDS_A_WORLD && continues(); round += 1) {
      begun += 1;
      const operations = Array.from({ length: 3 + Math.floor(random() * 5) }, racers.anyOperation);
      await Promise.all(operations.map(async (operate) => sleep(random() * 3).then(operate)));
      found.operations += operations.length;
      note(await untilMatched(() => pairs.check(readPast), world.number));
      found.rounds += 1;
      if (found.rounds % 500 === 0) progress(`${found.rounds} of ${rounds} rounds, ${found.breaches.length} breaches`);
    }
    found.pairs += pairs.pairs();
    mailChecks.push(judgeMails());

    async function judgeMails() {
      const past = await readPast();
      note(checkLimits(past, world));
      note(racers.unexpected.map((error) => unexpected(error, world.number)));
      const { breaches, mails, latestMs, unannounced } = await checkMails(judge, world, past, {
        mailsOf: workers.mailsOf,
        vinOf: racers.vinOf,
        notedEarlyMs,
      });
      note(breaches);
      found.mails += mails;
      found.unannounced.push(...unannounced);
      found.latestClaimMs = Math.max(found.latestClaimMs, latestMs);
    }
  }

  try {
    await Promise.all(
      Array.from({ length: concurrentWorlds() }, async () => {
        while (continues()) await raceOneWorld();
      }),
    );
    await Promise.all(mailChecks);
  } finally {
    await workers.stop();
    undisturb();
    await judge.end();
  }
  note(workers.broken.map((error) => unexpected(error, 0)));
  const { conflicts } = workers;
  return { ...found, conflicts, injected: injected + (fault.parts ? await countTriggered(db.pool) : 0) };
}

/** How often the trigger of an injected fault has fired. */
async function countTriggered(pool: Pool): Promise<number> {
  const counts = await rowsOfServers<{ times: number }>(
    pool,
    'select case when is_called then last_value else 0 end as times from race_injected',
  );
  return counts.reduce((sum, { times }) => sum + times, 0);
}

const unexpected = (error: unknown, world: number): Breach => ({
  kind: 'unexpected',
  world,
  what: error instanceof Error ? `${error.name}: ${error.message}` : JSON.stringify(error),
});

/** Checks until nothing waits any more. */
async function untilMatched(check: () => Promise<Breach[] | null>, world: number): Promise<Breach[]> {
  const deadline = performance.now() + matchingMs();
  for (;;) {
    const breaches = await check();
    if (breaches) return breaches;
    if (performance.now() > deadline)
      return [{ kind: 'missing', world, what: 'something waits to be matched for ever' }];
    await sleep(lookMs());
  }
}
