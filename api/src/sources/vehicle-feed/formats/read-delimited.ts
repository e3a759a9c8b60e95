import { CsvError, parse } from 'csv-parse/sync';
import { AppError } from '../../../base/errors.ts';
import type { RejectCode } from '../../../domain/facts/listing-facts.ts';
import { boundName } from '../../record/bound-record.ts';
import { columnName, type FeedRow, isIdColumn } from '../feed-row.ts';
import type { FeedEntry } from './feed-entry.ts';
import { type RowFrame, rowFrames } from './row-frames.ts';

export type Delimiter = ',' | '\t' | ';' | '|';

/** Rows whose cells are told apart at once. */
const BATCH = 100;
const MAX_COLUMNS = 2000;

/** null when the parser finds a fault. */
function parsed(texts: readonly string[], delimiter: Delimiter): string[][] | null {
  try {
    return parse(texts.join('\n'), {
      delimiter,
      record_delimiter: '\n',
      ltrim: true,
      rtrim: true,
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: false,
    });
  } catch (error) {
    if (error instanceof CsvError) return null;
    throw error;
  }
}

/** The cells of each row, undefined where the parser finds a fault that the cutting of rows did not. */
function cellsOf(texts: readonly string[], delimiter: Delimiter): (string[] | undefined)[] {
  const rows = parsed(texts, delimiter);
  if (rows?.length === texts.length) return rows;
  return texts.map((text) => {
    const [row, ...more] = parsed([text], delimiter) ?? [];
    return more.length === 0 ? row : undefined;
  });
}

function headerOf(frame: RowFrame, delimiter: Delimiter): string[] {
  if (frame.state === 'too large') throw new AppError('MALFORMED', 'The first line is larger than 256 KB.');
  const [cells = []] = frame.state === 'whole' ? cellsOf([frame.text], delimiter) : [frame.text.split(delimiter)];
  while (cells.at(-1)?.trim() === '') cells.pop();
  const names = cells.map(boundName);
  if (names.length > MAX_COLUMNS) throw new AppError('MALFORMED', `The feed has more than ${MAX_COLUMNS} columns.`);
  if (!names.some(isIdColumn)) {
    const first = names.map((name) => columnName(name).slice(0, 30)).slice(0, 5);
    throw new AppError(
      'MALFORMED',
      `The first line names no column vehicle_id, but ${first.join(', ').slice(0, 150)}.`,
    );
  }
  return names;
}

/** Without a prototype: a column may be called `__proto__`. The first column of a name counts that isn't blank. */
function rowOf(names: readonly string[], cells: readonly string[]): FeedRow {
  const row: FeedRow = Object.create(null);
  for (const [index, name] of names.entries()) {
    const cell = cells[index]?.trim() ?? '';
    if (cell !== '' && name !== '' && row[name] === undefined) row[name] = cell;
  }
  return row;
}

/** The id of a row that can't be read, where it is the first cell: what is wrong stands behind it. */
function idAtStart(text: string, delimiter: Delimiter, names: readonly string[]): string | null {
  const [first = '', ...others] = names;
  if (!isIdColumn(first) || others.some(isIdColumn)) return null;
  const cell = text.slice(0, Math.max(0, text.indexOf(delimiter))).trim();
  const id = cell.replace(/^"(.*)"$/, '$1').trim();
  return id === '' || id.includes('"') ? null : id;
}

function entryOf(
  frame: RowFrame,
  cells: readonly string[] | undefined,
  names: readonly string[],
  delimiter: Delimiter,
): FeedEntry {
  const record = frame.text;
  const unread = (code: RejectCode, reason: string): FeedEntry => {
    const id = idAtStart(record, delimiter, names);
    return { code, reason, record, ...(id !== null && { id }) };
  };
  if (frame.state === 'too large') return unread('TOO_LARGE', 'The row is larger than 256 KB.');
  if (!cells) return unread('MALFORMED', 'A quote in the row does not close.');
  const filled = cells.findLastIndex((cell) => cell.trim() !== '') + 1;
  if (cells.length < names.length || filled > names.length) {
    return unread('MALFORMED', `The row has ${cells.length} cells, the header ${names.length}.`);
  }
  return { row: rowOf(names, cells) };
}

/**
 * The rows of a feed whose cells are parted by a delimiter, by its header's names.
 * @throws AppError MALFORMED without a header, and at the end when the last row is cut off
 */
export async function* readDelimited(
  chunks: AsyncIterable<string>,
  delimiter: Delimiter,
  newline: '\n' | '\r',
): AsyncGenerator<FeedEntry> {
  let names: string[] | null = null;
  let batch: RowFrame[] = [];

  function* flush(known: readonly string[]): Generator<FeedEntry> {
    const frames = batch;
    batch = [];
    const whole = frames.filter(({ state }) => state === 'whole').map(({ text }) => text.replace(/\r$/, ''));
    const rows = cellsOf(whole, delimiter);
    let index = 0;
    for (const frame of frames) {
      // Tabs need no quotes: what looks like a broken one is a character of the cell.
      const literal = delimiter === '\t' && frame.state === 'broken quotes' ? frame.text.split('\t') : [];
      const cells = frame.state === 'whole' ? rows[index++] : literal.length === known.length ? literal : undefined;
      const isShort = (cells ?? frame.text.split(delimiter)).length < known.length;
      if (!frame.ended && frame.state !== 'too large' && isShort) {
        throw new AppError('MALFORMED', 'The feed ends in the middle of a row.');
      }
      yield entryOf(frame, cells, known, delimiter);
    }
  }

  try {
    for await (const frame of rowFrames(chunks, { delimiter, newline, cells: () => names?.length ?? 0 })) {
      if (!names) {
        names = headerOf(frame, delimiter);
        continue;
      }
      if (batch.push(frame) >= BATCH) yield* flush(names);
    }
  } catch (error) {
    // What came whole before a fault of the body goes in.
    if (names) yield* flush(names);
    throw error;
  }
  if (names) yield* flush(names);
}
