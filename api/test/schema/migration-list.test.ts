import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const folder = join(import.meta.dirname, '../../migrations');

/** `039-job-names` exports `Migration039JobNames`. */
const classOf = (name: string) =>
  `Migration${name.replaceAll(/(?:^|-)(.)/g, (_part, first: string) => first.toUpperCase())}`;

function listOf(names: readonly string[]): string {
  return [
    '// Every migration, in order. Generated: after a new migration run `npm run -s schema:sql`.',
    ...names.map((name) => `import { ${classOf(name)} } from './${name}.ts';`),
    '',
    'export const allMigrations = [',
    ...names.map((name) => `  { name: '${name}', class: ${classOf(name)} },`),
    '];',
    '',
  ].join('\n');
}

/** `npm run -s schema:sql` runs this test and writes the files. */
it('all-migrations.ts lists the files of the folder, and latest-migration.ts names the last', async () => {
  const names = readdirSync(folder).filter((file) => /^\d{3}-.*\.ts$/.test(file));
  const sorted = names.map((file) => file.replace(/\.ts$/, '')).sort();
  await expect(listOf(sorted)).toMatchFileSnapshot('../../migrations/all-migrations.ts');
  const latest = `/** The last migration that this version needs. Generated with the list of migrations. */
export const latestMigration = '${sorted.at(-1)}';
`;
  await expect(latest).toMatchFileSnapshot('../../src/entities/latest-migration.ts');
});
