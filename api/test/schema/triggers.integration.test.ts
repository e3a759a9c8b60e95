/** @module-tag plain */
// A cluster has none of these triggers, but some of its own.
import { expect, it } from 'vitest';
import { setUpDatabase } from '../database.ts';
import { triggers } from './triggers.ts';

const db = setUpDatabase();

it('every trigger has a purpose, so that none is added whose work a distributed table could not do', async () => {
  const there = await db.rows(
    `select tgrelid::regclass || ' ' || tgname as trigger from pg_trigger
      where not tgisinternal and tgparentid = 0`,
  );
  expect(there.map(({ trigger }) => trigger).toSorted()).toEqual(Object.keys(triggers).toSorted());
});
