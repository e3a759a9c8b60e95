import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makePool, type Pool } from '../base/database.ts';
import { readSettings } from '../base/settings/settings.ts';
import { makeGazetteer } from '../domain/places/places.ts';
import { countQuarantine, type QuarantineFilter, readQuarantine } from '../intake/quarantine/read-quarantine.ts';
import { retryDeps, retryQuarantined } from '../jobs/retry-quarantined.ts';

const USAGE = `npm run -s quarantine -- list [--source S] [--code C] [--first N]
npm run -s quarantine -- show ID
npm run -s quarantine -- retry [--source S] [--code C] [--id N]…
`;
const LISTED = 20;
const UNDEFINED_TABLE = '42P01';
const UNDEFINED_COLUMN = '42703';

interface Command {
  verb: string;
  id: number | undefined;
  first: number;
  filter: QuarantineFilter;
}

class Misused extends Error {}

function positive(text: string, name: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new Misused(`${name} must be a number above 0, not ${text}.`);
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
  if (!fits || rest.length > 0) throw new Misused(USAGE);
  const ids = values.id?.map((one) => positive(one, '--id'));
  return {
    verb,
    id: id === undefined ? undefined : positive(id, 'ID'),
    first: values.first === undefined ? LISTED : positive(values.first, '--first'),
    filter: { source: values.source, code: values.code?.toUpperCase(), ids },
  };
}

/** Of DATABASE_URL, or of the LotWatch that runs on DATA_DIR. */
function databaseUrl(): string {
  const settings = readSettings({ ...process.env, ROLE: 'all' });
  if (settings.databaseUrl !== undefined) return settings.databaseUrl;
  const path = join(settings.dataDir, 'database-url');
  if (existsSync(path)) return readFileSync(path, 'utf8').trim();
  throw new Misused(`No LotWatch has run on ${settings.dataDir}: start it with npm start, or set DATABASE_URL.`);
}

async function refuseUnusable(pool: Pool): Promise<void> {
  try {
    await pool.query('select retryable from quarantine limit 0');
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    const isOld = code === UNDEFINED_TABLE || code === UNDEFINED_COLUMN;
    const why = isOld ? 'is not of this version yet' : `does not answer (${code})`;
    throw new Misused(`The database ${why}: start LotWatch with npm start first.`, { cause });
  }
}

const print = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`);

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
  if (!row) throw new Misused(`There is no record ${id} in the quarantine.`);
  process.stderr.write(`${row.code}: ${row.reason}\n${pretty(row.record)}\n`);
  print(row);
}

async function retry(pool: Pool, { filter }: Command): Promise<void> {
  const gazetteer = makeGazetteer();
  const { retryable } = await countQuarantine(pool, filter);
  const { endId: _all, ...result } = await retryQuarantined(retryDeps(pool, gazetteer), filter, {
    onBatch: (tried) => process.stderr.write(`${tried} of ${retryable}\n`),
  });
  const left = await countQuarantine(pool, filter);
  print({ ...result, left: left.total, notRetryable: left.total - left.retryable });
}

async function main(): Promise<void> {
  const command = readCommand(process.argv.slice(2));
  const pool = makePool(databaseUrl(), 2, 'lotwatch-quarantine');
  try {
    await refuseUnusable(pool);
    if (command.id !== undefined) await show(pool, command.id);
    else await (command.verb === 'list' ? list : retry)(pool, command);
  } finally {
    await pool.end();
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message.trimEnd() : String(error)}\n`);
    process.exit(1);
  },
);
