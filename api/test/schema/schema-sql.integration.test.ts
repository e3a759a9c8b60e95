import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTestDatabase, type TestDatabase } from '../database.ts';
import { readSchema } from './read-schema.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await makeTestDatabase();
});
afterAll(() => db.close());

/** `npm run -s schema:sql` runs this test alone and writes the file. */
it('schema.sql shows the database as the migrations make it', async () => {
  await expect(await readSchema(db.pool)).toMatchFileSnapshot('../../schema.sql');
});
