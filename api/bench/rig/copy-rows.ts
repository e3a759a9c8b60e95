import { chmodSync, closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, limitIdleTime, type Queryable } from '../../src/base/database.ts';

type Value = string | number | boolean | null | undefined;

const ROWS_A_WRITE = 5_000;

/** Rows are made within the transaction, which takes long on a busy machine; indexes of millions of rows take minutes. */
export const beginLoad = `set local maintenance_work_mem = '1GB'; set local statement_timeout = 0; ${limitIdleTime(0)}`;

/** A list as the database reads it. */
export const arrayOf = (list: readonly string[] | null | undefined): string | null =>
  list ? `{${list.map((text) => `"${text}"`).join(',')}}` : null;

/** A value of a row. Texts must not contain a tab, a line break or a backslash. */
const lineOf = (row: readonly Value[]): string => `${row.map((value) => (value ?? '\\N').toString()).join('\t')}\n`;

export interface CopyOptions {
  columns: readonly string[];
  rows: Iterable<readonly Value[]>;
  /** Whether the table was emptied in the same transaction, so that its rows need no vacuum. */
  isNew?: boolean;
}

/**
 * Fills a table by COPY from a file, which is the fastest way. The server must run on this machine, with a superuser.
 * The file is written before this returns; the promise ends with the COPY.
 * @param folder one that the server can read
 */
export async function copyRows(
  db: Queryable,
  folder: string,
  table: string,
  { columns, rows, isNew = false }: CopyOptions,
): Promise<void> {
  const path = join(folder, `${table.replaceAll(/\W/g, '-')}-${Math.random()}.copy`);
  const file = openSync(path, 'w', 0o644);
  chmodSync(path, 0o644);
  try {
    let lines: string[] = [];
    for (const row of rows) {
      lines.push(lineOf(row));
      if (lines.length < ROWS_A_WRITE) continue;
      writeSync(file, lines.join(''));
      lines = [];
    }
    writeSync(file, lines.join(''));
  } finally {
    closeSync(file);
  }
  try {
    await db.query(`copy ${table} (${columns.join(', ')}) from '${path}'${isNew ? ' (freeze)' : ''}`);
  } finally {
    rmSync(path);
  }
}

/** Fills a table without its indexes, which are created afterwards; keys stay. */
export async function withoutIndexes(client: Client, table: string, fill: () => Promise<void>): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select c.relname as name, pg_get_indexdef(i.indexrelid) as definition
       from pg_index i join pg_class c on c.oid = i.indexrelid
      where i.indrelid = $1::regclass and not i.indisunique`,
    [table],
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  await fill();
  for (const { definition } of rows) await client.query(definition);
}
