import { progress } from '../lab/command-line.ts';
import { startLotWatch } from '../lab/processes.ts';
import { startThrowAway } from '../lab/throw-away.ts';
import { seedAdmin } from '../src/accounts/seed-admin.ts';
import { type FuzzLine, fetchDescription, readOptions, runFuzz } from './run-fuzz.ts';

const ADMIN_PASSWORD = 'admin-password';
const MIN_OK = 0.4;
const MAX_P99_MS = 250;
const SHOWN = 40;
const EVERY = 500;

/** Describes the missed bounds, a sentence each. */
function missed({ requests, ok2xx, fivexx, html, undescribed, p99Ms }: FuzzLine): string[] {
  return [
    ...(ok2xx < MIN_OK * requests ? [`${ok2xx} of ${requests} were a success, which is too few to say much`] : []),
    ...(fivexx > 0 ? [`${fivexx} answers were a fault of the server`] : []),
    ...(html > 0 ? [`${html} answers were HTML`] : []),
    ...(undescribed > 0 ? [`${undescribed} answers were not as described`] : []),
    ...(p99Ms > MAX_P99_MS ? [`p99 ${p99Ms} ms is above ${MAX_P99_MS}`] : []),
  ];
}

/** `npm run -s fuzz`: sends the REST API of an own LotWatch all kinds of requests that its description allows, and invalid ones. */
async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  progress(`${options.requests} requests, seed ${options.seed}`);
  await using rig = await startThrowAway();
  await seedAdmin(rig.pool, ADMIN_PASSWORD);
  await using parts = await startLotWatch(rig, { env: { RATE_LIMITS: 'off' } });
  const began = performance.now();
  const document = await fetchDescription(parts.url);
  const { line, findings, seen } = await runFuzz(
    { url: parts.url, pool: rig.pool, adminPassword: ADMIN_PASSWORD },
    document,
    options,
    (done) => {
      if (done % EVERY === 0) progress(`${done} after ${((performance.now() - began) / 1000).toFixed(1)} s`);
    },
  );
  for (const [answer, times] of [...seen].sort()) progress(`${String(times).padStart(6)}  ${answer}`);
  for (const finding of findings.slice(0, SHOWN)) progress(finding);
  if (findings.length > SHOWN) progress(`… and ${findings.length - SHOWN} more`);
  const bounds = missed(line);
  for (const bound of bounds) progress(`missed: ${bound}`);
  process.stdout.write(`${JSON.stringify(line)}\n`);
  process.exitCode = bounds.length > 0 ? 1 : 0;
}

main().catch((error: unknown) => {
  progress(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exitCode = 1;
});
