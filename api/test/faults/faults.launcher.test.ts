/** @module-tag long */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type RunOptions, runFaults } from '../../faults/run-faults.ts';
import { fakeTimeLibrary } from '../../faults/system/clocks.ts';
import { runTexts } from '../../faults/texts/run-texts.ts';

const PATIENCE_MS = 400_000;

// Each has a system of its own, which waits most of its time: they run at once.
async function runSmall(options: Partial<RunOptions>, run = runFaults) {
  const folder = mkdtempSync(join(tmpdir(), 'lotwatch-faults-'));
  try {
    return await run({ kills: 6, seed: 1, plant: undefined, small: true, ...options, folder });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

it.concurrent(
  'loses and doubles nothing, killed at each named moment and at random',
  async () => {
    const { line, faults } = await runSmall({});
    expect(faults).toEqual([]);
    expect(line).toMatchObject({ kills: 6, missing: 0, extra: 0, doubled: 0, mailsLost: 0, mailsDoubled: 0 });
    for (const moment of ['after-commit', 'mid-match', 'after-claim', 'before-record']) {
      expect(line.moments).toHaveProperty([moment, 'killed'], 1);
    }
    expect(line.expected).toBeGreaterThanOrEqual(60);
    expect(line.mailsExpected).toBeGreaterThan(30);
  },
  PATIENCE_MS,
);

it.concurrent(
  'finds that matches are lost where the mark is cleared before the search',
  async () => {
    const { line, faults } = await runSmall({ kills: 5, seed: 2, plant: 'no-mark' });
    expect(faults).not.toEqual([]);
    expect(line.missing).toBeGreaterThan(0);
  },
  PATIENCE_MS,
);

it.skipIf(fakeTimeLibrary() === null).concurrent(
  'goes by the clock of the database, whatever the clocks of its workers say',
  async () => {
    const { line, faults } = await runSmall({ kills: 4, seed: 3, clocks: [null, '+11m', '-1d'] });
    expect(faults).toEqual([]);
    expect(line).toMatchObject({ doubled: 0, mailsDoubled: 0, mailsLost: 0 });
  },
  PATIENCE_MS,
);

it.concurrent(
  'texts nothing twice, killed before and after the provider has taken a text, and lists what is unknown',
  async () => {
    const { line, faults } = await runSmall({ kills: 5, seed: 4 }, runTexts);
    expect(faults).toEqual([]);
    expect(line).toMatchObject({ kills: 5, textsDoubled: 0, textsLost: 0, textsWrong: 0, unlisted: 0 });
    expect(line.moments).toEqual({ 'text-claimed': 2, 'text-taken': 2 });
    expect(line.unknown).toBeGreaterThanOrEqual(4);
    expect(line.textsExpected).toBeGreaterThan(20);
  },
  PATIENCE_MS,
);

it.concurrent(
  'finds that texts are doubled where they are claimed without a lock',
  async () => {
    const { line, faults } = await runSmall({ kills: 2, seed: 5, plant: 'no-claim' }, runTexts);
    expect(faults).not.toEqual([]);
    expect(line.textsDoubled).toBeGreaterThan(0);
  },
  PATIENCE_MS,
);
