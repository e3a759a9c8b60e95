/** @module-tag long */
import { expect, it } from 'vitest';
import type { InjectedFaultName } from '../../faults/failpoints/injected-faults.ts';
import { runTexts } from '../../faults/texts/run-texts.ts';
import { runSmall } from './run-small.ts';

const PATIENCE_MS = 600_000;
/** Shorter than in other runs, since with the fault a recovery may never come. */
const RECOVERY_MS = 30_000;

/** How many acts show the fault, and which of the reported faults shows that it was found. */
const found: Record<InjectedFaultName, { acts: number; says: RegExp }> = {
  'no-mark': { acts: 3, says: /^missing: / },
  'no-unique': { acts: 1, says: /^doubled: car-/ },
  'no-claim': { acts: 1, says: /^(mail )?doubled: / },
  'old-position': { acts: 1, says: /^lost: .* was not told again after it was hidden/ },
  'old-cluster': { acts: 1, says: /^lost: (matchLog|matchAdded|export|pages) of / },
  'held-lock': { acts: 1, says: /^no recovery .* not polled/ },
  'doubled-expiry': { acts: 2, says: /^doubled: alert \d+: 2 mails .* of kind expired/ },
  'ended-sources': { acts: 1, says: /not polled/ },
};

// Each test has a LotWatch of its own, which waits most of its time: they run concurrently.
it.concurrent.each(Object.entries(found) as [InjectedFaultName, { acts: number; says: RegExp }][])(
  'finds the injected fault %s',
  async (inject, { acts, says }) => {
    const { line, faults } = await runSmall({ acts, inject, seed: 2, recoveryMs: RECOVERY_MS });
    expect(line.plant).toBe(inject);
    expect(faults.filter((fault) => says.test(fault))).not.toEqual([]);
  },
  PATIENCE_MS,
);

it.concurrent(
  'finds doubled texts where they are claimed without a lock',
  async () => {
    const { line, faults } = await runSmall({ acts: 2, seed: 5, inject: 'no-claim' }, runTexts);
    expect(faults).not.toEqual([]);
    expect(line.textsDoubled).toBeGreaterThan(0);
  },
  PATIENCE_MS,
);
