import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOptions } from './options.ts';
import { progress } from './progress.ts';
import { runFaults } from './run-faults.ts';

const SHOWN = 40;

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'lotwatch-faults-'));
  if (options.plant) progress(`!!! A defect is planted: ${options.plant}. This run must find it. !!!`);
  const { line, faults } = await runFaults({ ...options, folder });
  for (const fault of faults.slice(0, SHOWN)) progress(fault);
  if (faults.length > SHOWN) progress(`… and ${faults.length - SHOWN} more`);
  if (options.plant && faults.length === 0) progress('THE PLANTED DEFECT WAS NOT FOUND: this oracle is worth nothing.');
  process.stdout.write(`${JSON.stringify(line)}\n`);
  process.exitCode = faults.length > 0 ? 1 : options.plant ? 2 : 0;
  if (options.folder === undefined && faults.length === 0) rmSync(folder, { recursive: true, force: true });
  else progress(`logs are in ${folder}`);
}

main().catch((error: unknown) => {
  progress(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exitCode = 1;
});
