import { expect, it } from 'vitest';
import { makeBatcher } from './batches.ts';

it('returns each call its own result, and handles all calls during a batch in the next one', async () => {
  const batches: number[][] = [];
  const double = makeBatcher(async (items: readonly number[]) => {
    batches.push([...items]);
    await new Promise((resolve) => setImmediate(resolve));
    return items.map((item) => item * 2);
  });
  const first = double(1);
  await Promise.resolve();
  expect(await Promise.all([first, double(2), double(3)])).toEqual([2, 4, 6]);
  expect(batches).toEqual([[1], [2, 3]]);
});

it('fails for each call of a failed batch, and continues with the next batch', async () => {
  const refuse = makeBatcher(async (items: readonly string[]) => {
    if (items.includes('bad')) throw new Error('refused');
    return items;
  });
  const asked = await Promise.allSettled([refuse('bad'), refuse('with it')]);
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await refuse('good')).toBe('good');
});
