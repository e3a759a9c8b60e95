import { parseArgs } from 'node:util';
import type { Pool } from '../base/database.ts';
import { endSource, listSources, resumeSource } from '../sources/end-source.ts';
import { exitWith, Misused, print, withDatabase } from './open-database.ts';

const USAGE = `npm run -s sources -- list
npm run -s sources -- end NAME
npm run -s sources -- resume NAME
`;

const changes = {
  end: (pool: Pool, name: string) => endSource(pool, name, 'operator'),
  resume: resumeSource,
};

interface Command {
  verb: 'list' | keyof typeof changes;
  name: string;
}

function readCommand(args: string[]): Command {
  const { positionals } = parseArgs({ args, allowPositionals: true });
  const [verb, name, ...rest] = positionals;
  if (rest.length > 0) throw new Misused(USAGE);
  if (verb === 'list' && name === undefined) return { verb, name: '' };
  if ((verb === 'end' || verb === 'resume') && name !== undefined) return { verb, name };
  throw new Misused(USAGE);
}

async function run(pool: Pool, { verb, name }: Command): Promise<void> {
  if (verb !== 'list') {
    const outcome = await changes[verb](pool, name);
    if (outcome === 'unknown') throw new Misused(`There is no source ${name}.`);
    if (outcome === 'pushed') throw new Misused(`The source ${name} is pushed to and not polled.`);
  }
  const sources = await listSources(pool);
  for (const source of sources) if (verb === 'list' || source.name === name) print(source);
}

async function main(): Promise<void> {
  const command = readCommand(process.argv.slice(2));
  await withDatabase('lotwatch-sources', 'select ended_by from sources limit 0', (pool) => run(pool, command));
}

exitWith(main());
