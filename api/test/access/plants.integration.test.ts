import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeSchema } from '../../src/graphql/make-schema.ts';
import { makeTestApi } from '../make-app.ts';
import { type AccessWorld, accessOptions, cellsOf, makeAccessWorld, wrongCells } from './matrix.ts';
import { type Plant, plants } from './plants.ts';

const callers = [
  'visitor',
  'free',
  'elite',
  'key with read',
  'key with write',
  'password long ago',
  'erased',
  'admin',
  'admin with a first password',
];

let world: AccessWorld;
beforeAll(async () => {
  world = await makeAccessWorld(callers);
});
afterAll(() => world?.close());

/** The wrong cells of what a plant should hit, in a LotWatch of its own over the same rows. */
async function foundBy({ options, put, hits }: Plant): Promise<{ cells: number; wrong: string[] }> {
  const cells = cellsOf(makeSchema(), world.actors).filter(({ ask }) => hits.includes(ask.operation));
  const takeOut = await put?.(world);
  const planted = await makeTestApi({ ...accessOptions(world.payments), ...options?.(), db: world.api.db });
  try {
    return { cells: cells.length, wrong: await wrongCells(world, cells, planted.url) };
  } finally {
    await planted.close();
    await takeOut?.();
    await world.kept.restore(() => {});
  }
}

describe('a check that is left out shows in the matrix', { tags: 'long' }, () => {
  it.each(plants)('$what', async (plant) => {
    const { cells, wrong } = await foundBy(plant);
    console.log(`plant: ${plant.what}: ${wrong.length} of ${cells} cells wrong`);
    expect(wrong).not.toEqual([]);
  });

  it('and where none is, nothing is wrong', async () => {
    const hits = plants.flatMap((plant) => plant.hits);
    expect((await foundBy({ what: 'nothing', hits })).wrong).toEqual([]);
  });
});
