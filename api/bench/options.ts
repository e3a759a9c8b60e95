import { parseArgs } from 'node:util';
import { readCount } from '../lab/command-line.ts';

/** The options of all benchmarks, each of which uses some. */
export interface BenchOptions {
  alerts?: number;
  listings?: number;
  matches?: number;
  subscribers?: number;
  seconds?: number;
  minutes?: number;
  requests?: number;
  visits?: number;
  seed: number;
}

/** The result of a benchmark: the line for stdout, and descriptions of the bounds that it missed. */
export interface BenchResult {
  line: { bench: string } & Record<string, unknown>;
  missed: string[];
}

export type Bench = (options: BenchOptions) => Promise<BenchResult>;

const DEFAULT_SEED = 1;

/** The name of the benchmark and its options. @throws Error that says what is wrong with the arguments */
export function readArguments(args: readonly string[]): { name: string | undefined; options: BenchOptions } {
  const text = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      alerts: text,
      listings: text,
      matches: text,
      subscribers: text,
      seconds: text,
      minutes: text,
      requests: text,
      visits: text,
      seed: text,
    },
    allowPositionals: true,
  });
  if (positionals.length > 1) throw new Error(`one benchmark at a time, not ${positionals.join(', ')}`);
  return {
    name: positionals[0],
    options: {
      alerts: readCount('alerts', values.alerts),
      listings: readCount('listings', values.listings),
      matches: readCount('matches', values.matches),
      subscribers: readCount('subscribers', values.subscribers),
      seconds: readCount('seconds', values.seconds),
      minutes: readCount('minutes', values.minutes),
      requests: readCount('requests', values.requests),
      visits: readCount('visits', values.visits),
      seed: readCount('seed', values.seed) ?? DEFAULT_SEED,
    },
  };
}
