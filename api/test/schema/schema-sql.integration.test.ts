/** @module-tag plain */
// Distributing the tables takes triggers and keys from them, and adds functions.
import { expect, it } from 'vitest';
import { setUpDatabase } from '../database.ts';
import { readSchema } from './read-schema.ts';

const db = setUpDatabase();

/** `npm run -s schema:sql` runs this test alone and writes the file. */
it('schema.sql shows the database as the migrations make it', async () => {
  await expect(await readSchema(db.pool)).toMatchFileSnapshot('../../schema.sql');
});
