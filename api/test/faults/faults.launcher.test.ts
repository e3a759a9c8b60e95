/** @module-tag long */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { failpoints } from '../../faults/failpoints/failpoints.ts';
import type { PlainFaultName } from '../../faults/failpoints/injected-faults.ts';
import { type RunOptions, type RunResult, runFaults } from '../../faults/run-faults.ts';
import { fakeTimeLibrary } from '../../faults/system/system.ts';
import { runTexts } from '../../faults/texts/run-texts.ts';

const usual = { acts: 3, only: ['kill'], seed: 1, pauseMs: 20_000, inject: undefined, small: true } as const;
/** Longer than usual, because several concurrent runs make the machine slow. */
const RECOVERY_MS = 60_000;

/** A fault run with few buyers, in a folder that is deleted afterwards. */
async function runSmall(options: Partial<RunOptions>, run = runFaults): Promise<RunResult> {
  const folder = mkdtempSync(join(tmpdir(), 'lotwatch-faults-'));
  try {
    return await run({ ...usual, recoveryMs: RECOVERY_MS, ...options, folder });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const noPushFaults = { pushesLost: 0, pushesDoubled: 0, pushesEarly: 0, toldAgain: 0 };
const TIMEOUT_MS = 600_000;

it('loses and doubles nothing in a few kills, for readers by cursor and by mail', async () => {
  const { line, faults } = await runSmall({ acts: 2 });
  expect(faults).toEqual([]);
  expect(line).toMatchObject({
    acts: 2,
    missing: 0,
    extra: 0,
    doubled: 0,
    lost: 0,
    mailsLost: 0,
    mailsDoubled: 0,
    mailsEarly: 0,
    ...noPushFaults,
  });
}, 300_000);

// Each test below has a LotWatch of its own that mostly waits, so the tests run concurrently.
it.concurrent(
  'loses and doubles nothing, killed at each failpoint and at random',
  async () => {
    const { line, faults } = await runSmall({ acts: 10 });
    expect(faults).toEqual([]);
    expect(line).toMatchObject({
      acts: 10,
      kills: 10,
      missing: 0,
      extra: 0,
      doubled: 0,
      lost: 0,
      mailsLost: 0,
      mailsDoubled: 0,
      mailsEarly: 0,
      ...noPushFaults,
    });
    for (const failpoint of failpoints) expect(line.failpoints).toHaveProperty([failpoint, 'killed'], 1);
    expect(line.expected).toBeGreaterThanOrEqual(70);
    expect(line.mailsExpected).toBeGreaterThan(30);
    expect(line.pushesExpected).toBeGreaterThan(30);
    expect(line.timely).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);

it.concurrent(
  'loses and doubles nothing, paused, cut off, restored into another cluster and restarted with other sources',
  async () => {
    const only = ['pause', 'cut', 'restore', 'settings'] as const;
    const { line, faults } = await runSmall({ acts: 8, only, seed: 6, pauseMs: 8_000 });
    expect(faults).toEqual([]);
    expect(line).toMatchObject({
      missing: 0,
      extra: 0,
      doubled: 0,
      lost: 0,
      mailsLost: 0,
      mailsDoubled: 0,
      mailsEarly: 0,
      ...noPushFaults,
    });
    expect(line.byKind).toEqual({ kill: 0, pause: 2, cut: 2, restore: 2, settings: 2 });
  },
  TIMEOUT_MS,
);

it.skipIf(fakeTimeLibrary() === null).concurrent(
  'follows the clock of the database, whatever the clocks of its workers say',
  async () => {
    const { line, faults } = await runSmall({ acts: 4, seed: 3, clocks: [null, '+11m', '-1d'] });
    expect(faults).toEqual([]);
    expect(line).toMatchObject({ doubled: 0, mailsDoubled: 0, mailsLost: 0, mailsEarly: 0 });
  },
  TIMEOUT_MS,
);

it.concurrent(
  'texts nothing twice, killed or paused before and after the provider accepted a text, and lists texts of unknown status',
  async () => {
    const { line, faults } = await runSmall({ acts: 6, only: ['kill', 'pause'], seed: 4 }, runTexts);
    expect(faults).toEqual([]);
    expect(line).toMatchObject({ acts: 6, textsDoubled: 0, textsLost: 0, textsWrong: 0, unlisted: 0 });
    expect(line.failpoints).toEqual({ 'text-claimed': 2, 'text-accepted': 2 });
    expect(line.unknown).toBeGreaterThanOrEqual(4);
    expect(line.textsExpected).toBeGreaterThan(20);
  },
  TIMEOUT_MS,
);

/** Shorter than in other runs, because with the fault there may be no recovery. */
const FAULTY_RECOVERY_MS = 30_000;

/** How many acts reveal the injected fault, and the reported line that shows it was found. */
const found: Record<PlainFaultName, { acts: number; says: RegExp }> = {
  'no-mark': { acts: 3, says: /^missing: / },
  'no-unique': { acts: 1, says: /^doubled: car-/ },
  'no-claim': { acts: 1, says: /^(mail )?doubled: / },
  'old-position': { acts: 1, says: /^lost: .* was not received again after it was hidden/ },
  'old-cluster': { acts: 1, says: /^lost: (matchLog|matchAdded|export|pages) of / },
  'held-lock': { acts: 1, says: /^no recovery .* not polled/ },
  'doubled-expiry': { acts: 2, says: /^doubled: alert \d+: 2 mails .* of kind expired/ },
  'ended-sources': { acts: 1, says: /not polled/ },
  'no-hold': { acts: 2, says: /^mail early: mail .* after (quiet|daily|snooze) held it/ },
  'lost-push': { acts: 1, says: /^push lost: car-\d+:\d+ to / },
  'kept-device': { acts: 2, says: /^push again: .* was gone for / },
  'no-filters': { acts: 1, says: /^extra: .* which never fitted/ },
};

it.concurrent.each(Object.entries(found) as [PlainFaultName, { acts: number; says: RegExp }][])(
  'finds the injected fault %s',
  async (inject, { acts, says }) => {
    const { line, faults } = await runSmall({ acts, inject, seed: 2, recoveryMs: FAULTY_RECOVERY_MS });
    expect(line.plant).toBe(inject);
    expect(faults.filter((fault) => says.test(fault))).not.toEqual([]);
  },
  TIMEOUT_MS,
);

it.concurrent(
  'finds doubled texts where they are claimed without a lock',
  async () => {
    const { line, faults } = await runSmall({ acts: 2, seed: 5, inject: 'no-claim' }, runTexts);
    expect(faults).not.toEqual([]);
    expect(line.textsDoubled).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);
