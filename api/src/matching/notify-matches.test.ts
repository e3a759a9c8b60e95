import { expect, it } from 'vitest';
import type { Queryable } from '../base/database.ts';
import { notifyMatches } from './match-transaction.ts';

async function noticesOf(matched: { id: number; position: string }[]): Promise<unknown[]> {
  const sent: unknown[] = [];
  const query = async ({ values: [, position, side, ids] }: { values: string[] }) => {
    sent.push([position, side, JSON.parse(ids ?? '')]);
    return { rows: [] };
  };
  await notifyMatches({ query } as unknown as Queryable, 'listings', matched);
  return sent;
}

it('one notice names all listings of a transaction on one server', async () => {
  expect(
    await noticesOf([
      { id: 1, position: '70' },
      { id: 2, position: '70' },
    ]),
  ).toEqual([['70', 'listings', [1, 2]]]);
});

it('each position of a transaction on several servers has a notice', async () => {
  const matched = [
    { id: 1, position: '70' },
    { id: 1, position: '90' },
    { id: 2, position: '90' },
  ];
  expect(await noticesOf(matched)).toEqual([
    ['70', 'listings', [1]],
    ['90', 'listings', [1, 2]],
  ]);
});

it('a notice has no more ids than fit into it', async () => {
  const sent = await noticesOf(Array.from({ length: 900 }, (_, id) => ({ id, position: '70' })));
  expect(sent.map((notice) => (notice as [string, string, number[]])[2].length)).toEqual([400, 400, 100]);
});
