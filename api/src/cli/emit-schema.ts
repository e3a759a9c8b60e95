import { readFileSync, writeFileSync } from 'node:fs';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { makeSchema } from '../graphql/make-schema.ts';

// `--check` only looks: exit 1 when the committed schema is not the one that the code makes.
const file = new URL('../../../schema.graphql', import.meta.url);
const printed = `${printSchema(lexicographicSortSchema(makeSchema()))}\n`;
if (!process.argv.includes('--check')) {
  writeFileSync(file, printed);
} else if (readFileSync(file, 'utf8') !== printed) {
  process.stderr.write('schema.graphql is stale: run npm run schema\n');
  process.exitCode = 1;
}
