/** @module-tag long */
import { expect, it } from 'vitest';
import type { Plant } from '../../faults/moments/moments.ts';
import { runTexts } from '../../faults/texts/run-texts.ts';
import { runSmall } from './run-small.ts';

const PATIENCE_MS = 600_000;
/** What never comes needn't be waited for as long as what comes late. */
const RECOVERY_MS = 30_000;

/** How many acts show it, and what must be said of it. */
const found: Record<Plant, { acts: number; says: RegExp }> = {
  'no-mark': { acts: 3, says: /^missing: / },
  'no-unique': { acts: 1, says: /^doubled: car-/ },
  'no-claim': { acts: 1, says: /^(mail )?doubled: / },
  'old-position': { acts: 1, says: /^lost: .* was not told again after it was hidden/ },
  'old-cluster': { acts: 1, says: /^lost: (matchLog|matchAdded|export|pages) of / },
  'held-lock': { acts: 1, says: /^no recovery .* not polled/ },
  'doubled-expiry': { acts: 2, says: /^doubled: alert \d+: 2 mails .* of kind expired/ },
  'ended-sources': { acts: 1, says: /not polled/ },
};

// Each has a system of its own, which waits most of its time: they run at once.
it.concurrent.each(Object.entries(found) as [Plant, { acts: number; says: RegExp }][])(
  'finds the planted %s',
  async (plant, { acts, says }) => {
    const { line, faults } = await runSmall({ acts, plant, seed: 2, recoveryMs: RECOVERY_MS });
    expect(line.plant).toBe(plant);
    expect(faults.filter((fault) => says.test(fault))).not.toEqual([]);
  },
  PATIENCE_MS,
);

it.concurrent(
  'finds that texts are doubled where they are claimed without a lock',
  async () => {
    const { line, faults } = await runSmall({ acts: 2, seed: 5, plant: 'no-claim' }, runTexts);
    expect(faults).not.toEqual([]);
    expect(line.textsDoubled).toBeGreaterThan(0);
  },
  PATIENCE_MS,
);
