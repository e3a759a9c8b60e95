import { afterAll, expect, it } from 'vitest';
import { makeSchema } from '../../src/graphql/make-schema.ts';
import { type AccessWorld, cellsOf, makeAccessWorld, wrongCells } from './matrix.ts';
import { actorNames } from './people.ts';
import { rules } from './rules.ts';

const schema = makeSchema();
const worlds: AccessWorld[] = [];
afterAll(async () => {
  for (const world of worlds) await world.close();
});

async function worldOf(names: readonly string[]): Promise<AccessWorld> {
  const world = await makeAccessWorld(names);
  worlds.push(world);
  return world;
}

it('there is a rule for every operation', () => {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const fields = roots.flatMap((type) => Object.keys(type?.getFields() ?? {}));
  expect(Object.keys(rules).sort()).toEqual(fields.sort());
});

it('every operation is open to whom the rules say, over GraphQL, REST and sockets', {
  timeout: 1_800_000,
  tags: 'long',
}, async () => {
  const world = await worldOf(actorNames);
  const cells = cellsOf(schema, world.actors);
  const wrong = await wrongCells(world, cells);
  console.log(`access matrix: ${cells.length} cells, ${wrong.length} wrong`);
  expect(cells.length).toBeGreaterThan(3_000);
  expect(wrong).toEqual([]);
});
