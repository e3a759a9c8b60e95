import { parseArgs } from 'node:util';
import type { Pool } from '../base/database.ts';
import { printable } from '../base/printable.ts';
import { makeGazetteer } from '../domain/places/places.ts';
import { writeAuditLog } from '../entities/audit-log.ts';
import { countQuarantine, type QuarantineFilter, readQuarantine } from '../intake/quarantine.ts';
import { retryDeps, retryQuarantined } from '../jobs/retry-quarantined.ts';
import { quarantineSubject } from '../policies/operations.ts';
import { exitWith, print, UsageError, withDatabase } from './open-database.ts';

const USAGE = `npm run -s quarantine -- list [--source S] [--code C] [--first N]
npm run -s quarantine -- show ID
npm run -s quarantine -- retry [--source S] [--code C] [--id N]…
`;
const LISTED = 20;

interface Command {
  verb: string;
  id: number | undefined;
  first: number;
  filter: QuarantineFilter;
}

function positive(text: string, name: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new UsageError(`${name} must be a number above 0, not ${text}.`);
  return Number(text);
}

function readCommand(args: string[]): Command {
  const options = { source: { type: 'string' }, code: { type: 'string' }, first: { type: 'string' } } as const;
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { ...options, id: { type: 'string', multiple: true } },
  });
  const [verb = '', id, ...rest] = positionals;
  const fits = verb === 'show' ? id !== undefined : ['list', 'retry'].includes(verb) && id === undefined;
  if (!fits || rest.length > 0) throw new UsageError(USAGE);
  const ids = values.id?.map((one) => positive(one, '--id'));
  return {
    verb,
    id: id === undefined ? undefined : positive(id, 'ID'),
    first: values.first === undefined ? LISTED : positive(values.first, '--first'),
    filter: { source: values.source, code: values.code?.toUpperCase(), ids },
  };
}

async function list(pool: Pool, { filter, first }: Command): Promise<void> {
  const { rows } = await readQuarantine(pool, filter, { first });
  for (const { record, ...row } of rows) print({ ...row, characters: record.length });
  print({ listed: rows.length, ...(await countQuarantine(pool, filter)) });
}

function pretty(record: string): string {
  try {
    return JSON.stringify(JSON.parse(record), null, 2);
  } catch {
    return record;
  }
}

async function show(pool: Pool, id: number): Promise<void> {
  const { rows } = await readQuarantine(pool, { ids: [id] }, { first: 1 });
  const [row] = rows;
  if (!row) throw new UsageError(`There is no record ${id} in the quarantine.`);
  process.stderr.write(printable(`${row.code}: ${row.reason}\n${pretty(row.record)}\n`));
  print(row);
}

async function retry(pool: Pool, { filter }: Command): Promise<void> {
  const gazetteer = makeGazetteer();
  const { retryable } = await countQuarantine(pool, filter);
  // Each batch is a transaction of its own, so that the start is logged separately.
  const entry = { actor: 'command', action: 'quarantine.retry', subject: quarantineSubject({ ...filter }) } as const;
  await writeAuditLog(pool, { ...entry, outcome: 'started' });
  const { endId: _all, ...result } = await retryQuarantined(retryDeps(pool, gazetteer), filter, {
    onBatch: (tried) => process.stderr.write(`${tried} of ${retryable}\n`),
  });
  await writeAuditLog(pool, { ...entry, outcome: 'done' });
  const left = await countQuarantine(pool, filter);
  print({ ...result, left: left.total, notRetryable: left.total - left.retryable });
}

async function main(): Promise<void> {
  const command = readCommand(process.argv.slice(2));
  await withDatabase('lotwatch-quarantine', 'select at from audit_log limit 0', async (pool) => {
    if (command.id !== undefined) await show(pool, command.id);
    else await (command.verb === 'list' ? list : retry)(pool, command);
  });
}

exitWith(main());
