import { readFileSync, writeFileSync } from 'node:fs';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { makeSchema } from '../graphql/make-schema.ts';

// With `--check` it exits with 1 when the committed schema differs from the code's.
const file = new URL('../../../schema.graphql', import.meta.url);
const printed = `${printSchema(lexicographicSortSchema(makeSchema()))}\n`;
if (!process.argv.includes('--check')) {
  writeFileSync(file, printed);
} else if (readFileSync(file, 'utf8') !== printed) {
  process.stderr.write('schema.graphql is stale: run npm run schema\n');
  process.exitCode = 1;
}
