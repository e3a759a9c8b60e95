import { expect, it } from 'vitest';
import { makeTestDatabase } from '../../test/database.ts';
import type { RaceFaultName } from './injected-faults.ts';
import { runRaces } from './run-races.ts';

async function race(rounds: number, inject: RaceFaultName | null) {
  const db = await makeTestDatabase();
  try {
    return await runRaces(db, { rounds, seed: 5, inject, untilBreach: true });
  } finally {
    await db.close();
  }
}

it('finds nothing missing, extra, doubled, late or above a limit while everything races', async () => {
  const found = await race(75, null);
  expect(found.breaches).toEqual([]);
  expect(found.rounds).toBe(75);
  expect(found.pairs).toBeGreaterThan(300);
  expect(found.mails).toBeGreaterThan(20);
}, 120_000);

const easilyFound: RaceFaultName[] = ['no-search-wait', 'edit-without-mark', 'no-mail-lock'];
it.each(easilyFound)('finds the injected fault %s', { tags: 'long', timeout: 120_000 }, async (inject) => {
  const found = await race(600, inject);
  expect(found.injected).toBeGreaterThan(0);
  expect(found.breaches).not.toEqual([]);
});
