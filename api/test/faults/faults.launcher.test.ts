/** @module-tag long */
import { expect, it } from 'vitest';
import { fakeTimeLibrary } from '../../faults/system/system.ts';
import { runTexts } from '../../faults/texts/run-texts.ts';
import { runSmall } from './run-small.ts';

const PATIENCE_MS = 600_000;

it('loses and doubles nothing in a few kills, for readers by cursor and by mail', async () => {
  const { line, faults } = await runSmall({ acts: 2 });
  expect(faults).toEqual([]);
  expect(line).toMatchObject({ acts: 2, missing: 0, extra: 0, doubled: 0, lost: 0, mailsLost: 0, mailsDoubled: 0 });
}, 300_000);

// Each test below has a LotWatch of its own, which waits most of its time: they run concurrently.
it.concurrent(
  'loses and doubles nothing, killed at each failpoint and at random',
  async () => {
    const { line, faults } = await runSmall({ acts: 7 });
    expect(faults).toEqual([]);
    expect(line).toMatchObject({ acts: 7, missing: 0, extra: 0, doubled: 0, lost: 0, mailsLost: 0, mailsDoubled: 0 });
    const failpoints = ['after-commit', 'mid-match', 'after-claim', 'before-record', 'source-claimed', 'backfill'];
    for (const failpoint of failpoints) expect(line.moments).toHaveProperty([failpoint, 'killed'], 1);
    expect(line.expected).toBeGreaterThanOrEqual(70);
    expect(line.mailsExpected).toBeGreaterThan(30);
    expect(line.timely).toBeGreaterThan(0);
  },
  PATIENCE_MS,
);

it.concurrent(
  'loses and doubles nothing, paused, cut off, restored into another cluster and restarted with other sources',
  async () => {
    const only = ['pause', 'cut', 'restore', 'settings'] as const;
    const { line, faults } = await runSmall({ acts: 8, only, seed: 6, pauseMs: 8_000 });
    expect(faults).toEqual([]);
    expect(line).toMatchObject({ missing: 0, extra: 0, doubled: 0, lost: 0, mailsLost: 0, mailsDoubled: 0 });
    expect(line.byKind).toEqual({ kill: 0, pause: 2, cut: 2, restore: 2, settings: 2 });
  },
  PATIENCE_MS,
);

it.skipIf(fakeTimeLibrary() === null).concurrent(
  'follows the clock of the database, whatever the clocks of its workers say',
  async () => {
    const { line, faults } = await runSmall({ acts: 4, seed: 3, clocks: [null, '+11m', '-1d'] });
    expect(faults).toEqual([]);
    expect(line).toMatchObject({ doubled: 0, mailsDoubled: 0, mailsLost: 0 });
  },
  PATIENCE_MS,
);

it.concurrent(
  'texts nothing twice, killed or paused before and after the provider has taken a text, and lists the unknown ones',
  async () => {
    const { line, faults } = await runSmall({ acts: 6, only: ['kill', 'pause'], seed: 4 }, runTexts);
    expect(faults).toEqual([]);
    expect(line).toMatchObject({ acts: 6, textsDoubled: 0, textsLost: 0, textsWrong: 0, unlisted: 0 });
    expect(line.moments).toEqual({ 'text-claimed': 2, 'text-taken': 2 });
    expect(line.unknown).toBeGreaterThanOrEqual(4);
    expect(line.textsExpected).toBeGreaterThan(20);
  },
  PATIENCE_MS,
);
