import { makeEventMaker } from '../../src/webhooks/events/event-maker.ts';
import { type BenchOptions, type BenchResult, progress } from '../options.ts';
import { percentile } from '../percentile.ts';
import { startThrowAway, type ThrowAway } from '../rig/throw-away.ts';
import { ALERTS_OF_ONE, loadDealers, matchCars } from './dealers.ts';
import { measureDeliveries } from './deliveries.ts';
import { startReceiver } from './receiver.ts';

const ALERTS = 100_000;
const CARS = 5;
const ROUNDS = 20;
/** Of what fetch alone gets. */
const LEAST_RATIO = 0.1;
/** For so long the events of a burst are gathered. */
const MOST_IDLE_MS = 200;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** How long a round takes in which nothing came, and one of a few cars that fit some 190 alerts each. */
async function measureRounds({ pool }: ThrowAway, alerts: number) {
  const maker = makeEventMaker(pool);
  const firstTurnMs = await timed(async () => {
    while (await maker.round());
  });
  const idle: number[] = [];
  const busy: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    idle.push(await timed(() => maker.round()));
    maker.notify(await matchCars(pool, alerts, CARS));
    busy.push(await timed(() => maker.round()));
  }
  const { rows } = await pool.query<{ events: number; matches: number }>(
    `select (select count(*)::int4 from webhook_events where type = 'match.created') as events,
            (select count(*)::int4 from matches where listing_id > 0) as matches`,
  );
  const { events = 0, matches = 0 } = rows[0] ?? {};
  const busyMs = busy.reduce((sum, ms) => sum + ms, 0);
  progress(`${events} events; a round p50 ${percentile(busy, 0.5)} ms, idle ${percentile(idle, 0.5)} ms`);
  return {
    firstTurnMs: Math.round(firstTurnMs),
    idleP50Ms: percentile(idle, 0.5),
    roundP50Ms: percentile(busy, 0.5),
    eventsPerSecond: Math.round((events * 1000) / busyMs),
    missing: matches - events,
  };
}

/** Dealers with a hundred alerts each: what a round of events costs among them, and how fast messages are delivered. */
export async function benchWebhooks({ alerts = ALERTS }: BenchOptions): Promise<BenchResult> {
  const db = await startThrowAway();
  const receiver = await startReceiver();
  try {
    const dealers = Math.ceil(alerts / ALERTS_OF_ONE);
    progress(`${dealers} dealers with ${ALERTS_OF_ONE} alerts each …`);
    await loadDealers(db.pool, dealers, receiver.url);
    const events = await measureRounds(db, dealers * ALERTS_OF_ONE);
    await db.pool.query('delete from webhook_events');
    const delivered = await measureDeliveries(db, receiver, dealers);
    const line = { bench: 'webhooks', alerts: dealers * ALERTS_OF_ONE, dealers, ...delivered, events };
    const missed = [
      ...(line.ratio < LEAST_RATIO ? [`${LEAST_RATIO} of the posts of fetch alone`] : []),
      ...(line.lost > 0 ? ['every message at the receiver'] : []),
      ...(events.missing !== 0 ? ['an event for every match'] : []),
      ...(events.idleP50Ms > MOST_IDLE_MS ? [`${MOST_IDLE_MS} ms for a round in which nothing came`] : []),
    ];
    return { line, missed };
  } finally {
    receiver.close();
    await db.stop();
  }
}
