import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOptions } from './options.ts';
import { progress } from './progress.ts';
import { runClocks } from './run-clocks.ts';
import { runFaults } from './run-faults.ts';
import { runTexts } from './texts/run-texts.ts';

const SHOWN = 40;

async function main(): Promise<void> {
  const { clocks, sms, ...rest } = readOptions(process.argv.slice(2));
  const run = sms ? runTexts : clocks ? runClocks : runFaults;
  const folder = rest.folder ?? mkdtempSync(join(tmpdir(), 'lotwatch-faults-'));
  mkdirSync(folder, { recursive: true });
  if (rest.plant) progress(`!!! A defect is planted: ${rest.plant}. This run must find it. !!!`);
  const { line, faults } = await run({ ...rest, folder });
  for (const fault of faults.slice(0, SHOWN)) progress(fault);
  if (faults.length > SHOWN) progress(`… and ${faults.length - SHOWN} more`);
  if (rest.plant && faults.length === 0) progress('THE PLANTED DEFECT WAS NOT FOUND: this oracle is worth nothing.');
  process.stdout.write(`${JSON.stringify(line)}\n`);
  process.exitCode = faults.length > 0 ? 1 : rest.plant ? 2 : 0;
  if (rest.folder === undefined && faults.length === 0) rmSync(folder, { recursive: true, force: true });
  else progress(`logs are in ${folder}`);
}

main().catch((error: unknown) => {
  progress(error instanceof Error ? (error.stack ?? error.message) : String(error));
  // What had been started would keep the process.
  process.exit(1);
});
