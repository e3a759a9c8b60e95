import { parseArgs } from 'node:util';
import { beginWithShortIdle, inTransaction, type Pool, type Queryable } from '../base/database.ts';
import type { AuditAction } from '../domain/audit-actions.ts';
import { writeAuditLog } from '../entities/audit-log.ts';
import { type EndOutcome, endSource, listSources, resumeSource } from '../sources/change-sources.ts';
import { exitWith, print, UsageError, withDatabase } from './open-database.ts';

const USAGE = `npm run -s sources -- list
npm run -s sources -- end NAME
npm run -s sources -- resume NAME
`;

interface Change {
  action: AuditAction;
  run(db: Queryable, name: string): Promise<EndOutcome>;
}

const changes = {
  end: { action: 'source.end', run: (db, name) => endSource(db, name, 'operator') },
  resume: { action: 'source.resume', run: resumeSource },
} satisfies Record<string, Change>;

interface Command {
  verb: 'list' | keyof typeof changes;
  name: string;
}

function readCommand(args: string[]): Command {
  const { positionals } = parseArgs({ args, allowPositionals: true });
  const [verb, name, ...rest] = positionals;
  if (rest.length > 0) throw new UsageError(USAGE);
  if (verb === 'list' && name === undefined) return { verb, name: '' };
  if ((verb === 'end' || verb === 'resume') && name !== undefined) return { verb, name };
  throw new UsageError(USAGE);
}

async function run(pool: Pool, { verb, name }: Command): Promise<void> {
  if (verb !== 'list') {
    const change = changes[verb];
    const outcome = await inTransaction(
      pool,
      async (client) => {
        const done = await change.run(client, name);
        if (done !== 'done') return done;
        const entry = { actor: 'command', action: change.action, subject: `source ${name}` } as const;
        await writeAuditLog(client, { ...entry, outcome: done });
        return done;
      },
      beginWithShortIdle,
    );
    if (outcome === 'unknown') throw new UsageError(`There is no source ${name}.`);
    if (outcome === 'pushed') throw new UsageError(`The source ${name} is pushed to and not polled.`);
  }
  const sources = await listSources(pool);
  for (const source of sources) if (verb === 'list' || source.name === name) print(source);
}

async function main(): Promise<void> {
  const command = readCommand(process.argv.slice(2));
  await withDatabase('lotwatch-sources', 'select at from audit_log limit 0', (pool) => run(pool, command));
}

exitWith(main());
