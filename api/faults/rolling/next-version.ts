import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../../src/launcher/processes/node-child.ts';

const NAME = '999-next-version';
const CLASS = 'Migration999NextVersion';

/** It adds columns to tables whose rows the old version reads as a whole, and an index to one that it writes all the time. */
const migration = `import { OnlineMigration } from './online-migration.ts';

export class ${CLASS} extends OnlineMigration {
  override up(): void {
    this.addSql('alter table alerts add column if not exists next_version text;');
    this.addSql('alter table listings add column if not exists next_version text;');
    this.addSql('alter table users add column if not exists next_version text;');
    this.addSql('alter table matches add column if not exists next_version text;');
    this.addSql('alter table mails add column if not exists next_version text;');
    this.buildIndex('listings_next_version', 'listings (next_version) where next_version is not null');
    this.buildIndex('mails_next_version', 'mails (next_version) where next_version is not null');
  }
}
`;

function change(file: string, from: string | RegExp, to: string): void {
  const before = readFileSync(file, 'utf8');
  const after = before.replace(from, to);
  if (after === before) throw new Error(`${file} has changed: the next version can't be made of it`);
  writeFileSync(file, after);
}

/** The script of the next version's pages has another name, as its content would differ. */
function renameScript(dist: string): void {
  const [, name = ''] = /src="\/assets\/(index-[^"]+)\.js"/.exec(readFileSync(join(dist, 'index.html'), 'utf8')) ?? [];
  for (const ending of ['js', 'js.br', 'js.gz'])
    renameSync(join(dist, 'assets', `${name}.${ending}`), join(dist, 'assets', `index-next.${ending}`));
  change(join(dist, 'index.html'), new RegExp(name, 'g'), 'index-next');
}

const COPIED = ['src', 'migrations', 'demo', 'sandbox', 'package.json', 'tsconfig.json'];

/**
 * Makes a version of LotWatch with one more migration, of a copy of this one.
 * @returns Node's arguments that run it
 */
export async function makeNextVersion(folder: string): Promise<string[]> {
  const root = join(folder, 'next-version');
  mkdirSync(join(root, 'api'), { recursive: true });
  for (const name of COPIED) cpSync(join(projectRoot, 'api', name), join(root, 'api', name), { recursive: true });
  for (const name of ['data']) symlinkSync(join(projectRoot, 'api', name), join(root, 'api', name));
  cpSync(join(projectRoot, 'web/dist'), join(root, 'web/dist'), { recursive: true });
  renameScript(join(root, 'web/dist'));
  for (const name of ['node_modules', 'package.json', 'package-lock.json', 'tsconfig.json', 'schema.graphql'])
    symlinkSync(join(projectRoot, name), join(root, name));
  const migrations = join(root, 'api/migrations');
  writeFileSync(join(migrations, `${NAME}.ts`), migration);
  const list = join(migrations, 'all-migrations.ts');
  change(list, /^/, `import { ${CLASS} } from './${NAME}.ts';\n`);
  change(list, /\n\];\s*$/, `\n  { name: '${NAME}', class: ${CLASS} },\n];\n`);
  change(join(root, 'api/src/entities/latest-migration.ts'), /'\d{3}-[a-z-]+'/, `'${NAME}'`);
  const make = join(root, 'api/src/launcher/make-bundle.mjs');
  const { stdout: bundle } = await promisify(execFile)(process.execPath, [make]);
  const first = ['source-maps.mjs', 'collect-garbage.mjs'].flatMap((name) => [
    '--import',
    join(root, 'api/src/launcher', name),
  ]);
  return [...first, join(bundle, 'api/src/main.mjs')];
}
