import { expect, it } from 'vitest';
import { benchReread } from './reread.ts';

it('writes no listing and hardly any log when a feed of thousands is read again', {
  tags: 'long',
  timeout: 120_000,
}, async () => {
  const { line, missed } = await benchReread({ listings: 1_000, seed: 3 });
  expect(missed).toEqual([]);
  expect(line).toMatchObject({ stored: 1_000, first: { rowsWritten: { listings: 1_000 } } });
  for (const read of [line.again, line.hourLater]) expect(read).not.toHaveProperty('rowsWritten.listings');
  expect(line).toHaveProperty('daysLater.rowsWritten.listings', 1_000);
});
