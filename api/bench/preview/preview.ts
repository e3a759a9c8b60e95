import { Dice } from '../../demo/random.ts';
import { progress } from '../../lab/command-line.ts';
import { percentile } from '../../lab/percentile.ts';
import { cpuSeconds, startLotWatch } from '../../lab/processes.ts';
import { startThrowAway, type ThrowAway } from '../../lab/throw-away.ts';
import type { TestAlert } from '../../test/matching/match-rows.ts';
import { postmasterOf } from '../intake/intake.ts';
import { ItemStream } from '../intake/item-stream.ts';
import { pushBodies, signUp, untilMatched } from '../intake/load.ts';
import { makeMarket } from '../market/market.ts';
import type { BenchOptions, BenchResult } from '../options.ts';
import { loadAlerts } from '../rig/load-alerts.ts';
import { loadListings } from '../rig/load-listings.ts';
import { checkPreviews } from './check-previews.ts';
import { type Answered, askPreview, inputOf, type Typed, type } from './typing.ts';

const LISTINGS = 1_000_000;
/** Stored alerts, which intake matches. */
const ALERTS = 10_000;
const PREVIEWS = 1_000;
const WARM_UP = 100;
/** The listings were seen over so many days, all of which a preview counts; older ones would be retired meanwhile. */
const SPREAD_DAYS = 29;
/** So many of the previews are compared with the oracle, of those with and without filters. */
const CHECKED = 50;
/** How many of the previews ask for further filters: a quarter, and then all. */
const FILTERED_EVERY = 4;
const PEOPLE = 10;
/** Alternating with and without people who type, so that noise and growing tables affect both alike. */
const ROUNDS = 15;
const ROUND_SECONDS = 6;
const ITEMS_A_BODY = 500;
const BODIES_AT_ONCE = 2;

const MAX_P95_MS = 200;
const MIN_INTAKE_RATIO = 0.9;

interface Sizes {
  listings: number;
  alerts: number;
  previews: number;
  seconds: number;
  seed: number;
}

const rounded = (value: number, digits = 1) => Number(value.toFixed(digits));
const median = (values: readonly number[]) => percentile(values, 0.5);

/** Days before now, spread evenly, and independent of the listings' order. */
const daysBefore = (count: number) => (at: number) => (((at * 7_919) % count) / count) * SPREAD_DAYS;

function speedOf(answers: readonly Answered[]) {
  const ms = answers.map((answer) => answer.ms);
  const each = (numberOf: (answer: Answered) => number) =>
    rounded(answers.reduce((sum, answer) => sum + numberOf(answer), 0) / answers.length);
  return {
    p50Ms: rounded(percentile(ms, 0.5)),
    p95Ms: rounded(percentile(ms, 0.95)),
    p99Ms: rounded(percentile(ms, 0.99)),
    maxMs: rounded(percentile(ms, 1)),
    matchesEach: each(({ matchCount }) => matchCount),
    nearMissesEach: each(({ nearMisses }) => nearMisses.length),
  };
}

/** Measures previews alone and beside intake. @param db a server of its own with empty tables */
export async function measurePreview(db: ThrowAway, sizes: Sizes): Promise<BenchResult> {
  const market = makeMarket(sizes.seed);
  progress(`Loading ${sizes.listings} listings and ${sizes.alerts} alerts …`);
  await loadAlerts(
    db,
    Array.from({ length: sizes.alerts }, () => market.alert()),
  );
  const listings = Array.from({ length: sizes.listings }, () => market.stated(market.listing()));
  await loadListings(db, listings, { pending: false, daysAgo: daysBefore(sizes.listings) });
  await db.pool.query('checkpoint');
  await using parts = await startLotWatch(db, { env: { RATE_LIMITS: 'off' } });
  const { url } = parts;
  const people = await Promise.all(Array.from({ length: PEOPLE }, (_, at) => signUp(url, `typist-${at}`)));
  const [first] = people;
  if (!first) throw new Error('nobody is signed up');

  const postmaster = await postmasterOf(db.pool);
  const processors = () => ({ api: cpuSeconds(parts.apiPid), postgres: cpuSeconds(postmaster, true) });
  progress('Previewing …');
  const preview = async (count: number, every: number) => {
    const answers: (Answered & { alert: TestAlert })[] = [];
    for (let at = 0; at < count; at += 1) {
      const alert = at % every === 0 ? market.filtered(market.alert()) : market.alert();
      answers.push({ alert, ...(await askPreview(url, first.cookie, inputOf(alert))) });
    }
    return answers;
  };
  await preview(WARM_UP, FILTERED_EVERY);
  const before = processors();
  const answers = await preview(sizes.previews, FILTERED_EVERY);
  const after = processors();
  const filtered = await preview(sizes.previews, 1);
  progress('Checking …');
  const checked = [answers, filtered].flatMap((some) => some.slice(0, CHECKED));
  const { wrongCounts, nearMisses, wrongNearMisses } = checkPreviews(checked, listings);

  const stream = new ItemStream(market, sizes.seed);
  let drawn = 0;
  const drawAlert = () => (drawn++ % FILTERED_EVERY === 0 ? market.filtered(market.alert()) : market.alert());
  const typed: Typed = { answersMs: [], givenUp: 0 };
  /** Items a second until the last match is written. */
  const intake = async (isTyped: boolean): Promise<number> => {
    const start = performance.now();
    const until = start + sizes.seconds * 1_000;
    const typing = isTyped
      ? people.map(({ cookie }, at) =>
          type({ url, cookie, dice: new Dice(sizes.seed, 3, at, start), alert: drawAlert }, until, typed),
        )
      : [];
    const [{ items }] = await Promise.all([
      pushBodies({ url, stream, itemsABody: ITEMS_A_BODY, concurrency: BODIES_AT_ONCE, itemsPerSecond: 0, until }),
      ...typing,
    ]);
    await untilMatched(db.pool);
    return (items * 1_000) / (performance.now() - start);
  };
  progress('Pushing alone, and beside people who type …');
  await intake(true);
  Object.assign(typed, { answersMs: [], givenUp: 0 });
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    // The order changes, as tables grow.
    const isFirst = round % 2 === 0;
    const one = await intake(isFirst);
    const other = await intake(!isFirst);
    rounds.push(isFirst ? { beside: one, alone: other } : { beside: other, alone: one });
  }
  const ratios = rounds.map(({ alone, beside }) => beside / alone);
  const line = {
    bench: 'preview',
    listings: sizes.listings,
    previews: sizes.previews,
    ...speedOf(answers),
    processorMs: {
      api: rounded(((after.api - before.api) * 1_000) / sizes.previews),
      postgres: rounded(((after.postgres - before.postgres) * 1_000) / sizes.previews),
    },
    allFiltered: speedOf(filtered),
    checked: checked.length,
    wrong: wrongCounts,
    checkedNearMisses: nearMisses,
    wrongNearMisses,
    typing: {
      people: PEOPLE,
      answersPerSecond: rounded(typed.answersMs.length / (ROUNDS * sizes.seconds)),
      givenUp: typed.givenUp,
      p50Ms: rounded(percentile(typed.answersMs, 0.5)),
      p95Ms: rounded(percentile(typed.answersMs, 0.95)),
    },
    intake: {
      alonePerSecond: Math.round(median(rounds.map(({ alone }) => alone))),
      besidePerSecond: Math.round(median(rounds.map(({ beside }) => beside))),
      ratio: rounded(median(ratios), 3),
      ratios: ratios.map((ratio) => rounded(ratio, 3)),
    },
  };
  const missed = [
    ...(line.p95Ms > MAX_P95_MS ? [`p95 within ${MAX_P95_MS} ms`] : []),
    ...(line.intake.ratio < MIN_INTAKE_RATIO ? [`intake at least ${MIN_INTAKE_RATIO} × as fast beside typing`] : []),
    ...(wrongCounts > 0 ? ['every count right'] : []),
    ...(wrongNearMisses > 0 ? ['every near miss right'] : []),
  ];
  return { line, missed };
}

/** @param options `listings` stored, `requests` previews, and `seconds` of each of the rounds beside intake */
export async function benchPreview(options: BenchOptions): Promise<BenchResult> {
  const { listings = LISTINGS, alerts = ALERTS, requests = PREVIEWS, seconds = ROUND_SECONDS, seed } = options;
  await using db = await startThrowAway();
  return await measurePreview(db, { listings, alerts, previews: requests, seconds, seed });
}
