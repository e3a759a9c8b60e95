import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunOptions, type RunResult, runFaults } from '../../faults/run-faults.ts';

const usual = { acts: 3, only: ['kill'], seed: 1, pauseMs: 20_000, inject: undefined, small: true } as const;
/** Several runs at once make the machine slow. */
const RECOVERY_MS = 60_000;

/** A fault run with few buyers, in a folder that is deleted afterwards. */
export async function runSmall(options: Partial<RunOptions>, run = runFaults): Promise<RunResult> {
  const folder = mkdtempSync(join(tmpdir(), 'lotwatch-faults-'));
  try {
    return await run({ ...usual, recoveryMs: RECOVERY_MS, ...options, folder });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
