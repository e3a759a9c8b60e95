/** @module-tag long */
import { expect, it } from 'vitest';
import { runSmall } from './run-small.ts';

it('loses and doubles nothing in a few kills, for readers by cursor and by mail', async () => {
  const { line, faults } = await runSmall({ acts: 2 });
  expect(faults).toEqual([]);
  expect(line).toMatchObject({ acts: 2, missing: 0, extra: 0, doubled: 0, lost: 0, mailsLost: 0, mailsDoubled: 0 });
}, 300_000);
