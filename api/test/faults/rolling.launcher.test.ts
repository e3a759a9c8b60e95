/** @module-tag long */

import { expect, it } from 'vitest';
import { runRolling } from '../../faults/rolling/run-rolling.ts';
import { setUpFolder } from '../set-up.ts';

const folder = setUpFolder();

it('no request fails and no match is lost or doubled while everything behind a proxy is restarted and upgraded', async () => {
  const { line, faults } = await runRolling({ minutes: 1, seed: 1, small: true, pooler: false, folder });
  // On a busy machine a recovery takes longer.
  expect(faults.filter((fault) => !fault.startsWith('no recovery'))).toEqual([]);
  expect(line).toMatchObject({
    ...{ failed: 0, missing: 0, extra: 0, doubled: 0, lostLive: 0, doubledLive: 0, mailsLost: 0, mailsDoubled: 0 },
    sockets: { open: 50, refused: 0 },
  });
  expect(line.events).toHaveLength(7);
  expect(line.outagesMs).toHaveLength(1);
  expect(line.mailsExpected).toBeGreaterThan(20);
}, 600_000);
