import { progress } from '../lab/command-line.ts';
import { type Bench, type BenchOptions, readArguments } from './options.ts';

/** The benchmarks by name, which are loaded only when they run. */
const benches: Record<string, () => Promise<Bench>> = {
  titles: async () => (await import('./reading.ts')).benchTitles,
  places: async () => (await import('./reading.ts')).benchPlaces,
  match: async () => (await import('./matching/match.ts')).benchMatch,
  forward: async () => (await import('./matching/forward.ts')).benchForward,
  intake: async () => (await import('./intake/intake.ts')).benchIntake,
  single: async () => (await import('./single.ts')).benchSingle,
  live: async () => (await import('./live/live.ts')).benchLive,
  country: async () => (await import('./country/country.ts')).benchCountry,
  'same-car': async () => (await import('./same-car.ts')).benchSameCar,
  retention: async () => (await import('./retention.ts')).benchRetention,
  trim: async () => (await import('./trim.ts')).benchTrim,
  mails: async () => (await import('./mails.ts')).benchMails,
  delivery: async () => (await import('./delivery.ts')).benchDelivery,
  limits: async () => (await import('./limits.ts')).benchLimits,
  reread: async () => (await import('./reread.ts')).benchReread,
  keys: async () => (await import('./keys.ts')).benchKeys,
  bombs: async () => (await import('./bombs.ts')).benchBombs,
  timing: async () => (await import('./timing.ts')).benchTiming,
  prices: async () => (await import('./prices.ts')).benchPrices,
  preview: async () => (await import('./preview/preview.ts')).benchPreview,
  pages: async () => (await import('./pages/pages.ts')).benchPages,
  year: async () => (await import('./year/year.ts')).benchYear,
  snapshot: async () => (await import('./year/snapshot.ts')).benchSnapshot,
  cluster: async () => (await import('./cluster/cluster.ts')).benchCluster,
  webhooks: async () => (await import('./webhooks.ts')).benchWebhooks,
};

function usage(fault: string): void {
  progress(`${fault}\nUsage: npm run -s bench -- ${Object.keys(benches).join('|')} [--listings N] [--seed N] …`);
  process.exitCode = 1;
}

async function run(load: () => Promise<Bench>, options: BenchOptions): Promise<void> {
  const bench = await load();
  const { line, missed } = await bench(options);
  for (const bound of missed) progress(`Missed: ${bound}`);
  process.stdout.write(`${JSON.stringify(line)}\n`);
  if (missed.length > 0) process.exitCode = 1;
}

// Ends by "exit", so that the folder of the database is removed.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

try {
  const { name = '', options } = readArguments(process.argv.slice(2));
  const load = Object.hasOwn(benches, name) ? benches[name] : undefined;
  if (load) await run(load, options);
  else usage(name === '' ? 'Which benchmark?' : `There is no benchmark ${name}.`);
} catch (error) {
  usage(error instanceof Error ? error.message : String(error));
}
