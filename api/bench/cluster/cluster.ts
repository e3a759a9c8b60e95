import { progress } from '../../lab/command-line.ts';
import { forkChild } from '../../lab/processes.ts';
import type { Layout } from '../../src/placement/layout.ts';
import type { BenchOptions, BenchResult } from '../options.ts';
import { calls, type Latencies, type Matching, type SideOptions } from './side.ts';
import type { Request } from './side-child.ts';

const ALERTS = 300_000;
const LISTINGS = 2_048;
const BATCHES = [64, 256] as const;
const SHARDS = [6, 12, 24, 48] as const;
/** How much more processor time a pair may take than on one server, by the size of a batch. */
const MAX_CPU = { 64: 2.2, 256: 1.5 } as const;
const MAX_COORDINATOR = 0.1;
const MAX_SLOWER = 4;

interface Measured {
  match: Record<number, Matching>;
  calls: Latencies;
}

async function measure(options: SideOptions): Promise<Measured> {
  const { layout, shards } = options;
  progress(layout === 'plain' ? 'One server …' : `${shards} shards …`);
  await using child = await forkChild(new URL('./side-child.ts', import.meta.url), [JSON.stringify(options)]);
  const ask = <T>(request: Request) => child.ask<T>(request);
  // Once before, so that plans and pages are there.
  await ask({ match: BATCHES[1] });
  const match: Measured['match'] = {};
  for (const batch of BATCHES) match[batch] = await ask<Matching>({ match: batch });
  const times = await ask<Latencies>('time');
  await ask('end');
  return { match, calls: times };
}

const ratio = (a: number, b: number) => Math.round((a / b) * 100) / 100;

function compare(plain: Measured, spread: Measured, shards: number) {
  const ofBatch = (batch: (typeof BATCHES)[number]) => {
    const [one, many] = [plain.match[batch], spread.match[batch]];
    if (!one || !many) throw new Error('a batch was not measured');
    return {
      listingsPerSecond: many.listingsPerSecond,
      rowsPerSecond: many.rowsPerSecond,
      cpuMicrosPerPair: many.cpuMicrosPerPair,
      cpu: ratio(many.cpuMicrosPerPair, one.cpuMicrosPerPair),
      coordinatorShare: many.coordinatorShare,
      isEqual: many.pairs === one.pairs && many.hash === one.hash,
    };
  };
  const slower = Object.fromEntries(
    calls.map((call) => [call, ratio(spread.calls[call].p50Ms, plain.calls[call].p50Ms)]),
  );
  return { shards, batch64: ofBatch(64), batch256: ofBatch(256), calls: spread.calls, slower };
}

/**
 * Measures matching and the calls of one client over a cluster, with several numbers of shards, against a database of the
 * coordinator's server alone. All servers run on this machine: it shows what a cluster costs, and not what it gains.
 * @param options `alerts` and `listings` @throws Error where CITUS_URL names no cluster
 */
export async function benchCluster({ alerts = ALERTS, listings = LISTINGS, seed }: BenchOptions): Promise<BenchResult> {
  const { CITUS_URL: url } = process.env;
  if (!url) throw new Error('CITUS_URL has to be the address of a coordinator.');
  const of = (layout: Layout, shards: number) => measure({ url, layout, shards, alerts, listings, seed });
  const plain = await of('plain', 0);
  const growth: ReturnType<typeof compare>[] = [];
  for (const shards of SHARDS) growth.push(compare(plain, await of('citus', shards), shards));
  const [least] = growth;
  if (!least) throw new Error('no number of shards');
  const { match, calls: plainCalls } = plain;
  const missed = [
    ...growth.flatMap(({ shards, batch64, batch256 }) =>
      batch64.isEqual && batch256.isEqual ? [] : [`the same pairs as on one server, with ${shards} shards`],
    ),
    ...(least.batch64.cpu > MAX_CPU[64] ? [`processor time a pair at most ${MAX_CPU[64]} times in batches of 64`] : []),
    ...(least.batch256.cpu > MAX_CPU[256] ? [`at most ${MAX_CPU[256]} times in batches of 256`] : []),
    ...(Math.max(least.batch64.coordinatorShare, least.batch256.coordinatorShare) > MAX_COORDINATOR
      ? [`at most ${MAX_COORDINATOR * 100} % of it at the coordinator`]
      : []),
    ...calls.flatMap((call) =>
      (least.slower[call] ?? 0) > MAX_SLOWER ? [`${call} at most ${MAX_SLOWER} times as slow`] : [],
    ),
  ];
  return { line: { bench: 'cluster', alerts, listings, plain: { match, calls: plainCalls }, growth }, missed };
}
