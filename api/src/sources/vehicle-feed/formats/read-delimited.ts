import { CsvError, parse } from 'csv-parse/sync';
import { AppError } from '../../../base/errors.ts';
import type { RejectCode } from '../../../domain/facts/listing-facts.ts';
import { boundName } from '../../record/record-fields.ts';
import { columnName, type FeedEntry, type FeedRow, idColumns, isIdColumn } from '../feed-row.ts';

export type Delimiter = ',' | '\t' | ';' | '|';

/** How many rows are split into cells at once. */
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

/** The cells of each row; undefined where the parser finds a fault that splitting into rows did not. */
function cellsOf(texts: readonly string[], delimiter: Delimiter): (string[] | undefined)[] {
  const rows = parsed(texts, delimiter);
  if (rows?.length === texts.length) return rows;
  return texts.map((text) => {
    const [row, ...more] = parsed([text], delimiter) ?? [];
    return more.length === 0 ? row : undefined;
  });
}

function headerOf(frame: RowFrame, delimiter: Delimiter, ids: readonly string[]): string[] {
  if (frame.state === 'too large') throw new AppError('MALFORMED', 'The first line is larger than 256 KB.');
  const [cells = []] = frame.state === 'whole' ? cellsOf([frame.text], delimiter) : [frame.text.split(delimiter)];
  while (cells.at(-1)?.trim() === '') cells.pop();
  const names = cells.map(boundName);
  if (names.length > MAX_COLUMNS) throw new AppError('MALFORMED', `The feed has more than ${MAX_COLUMNS} columns.`);
  if (!names.some((name) => isIdColumn(name, ids))) {
    const first = names.map((name) => columnName(name).slice(0, 30)).slice(0, 5);
    throw new AppError('MALFORMED', `The first line names no column ${ids[0]}, but ${first.join(', ').slice(0, 150)}.`);
  }
  return names;
}

/** Without a prototype, as a column may be called `__proto__`. Of columns with one name the first that isn't blank counts. */
function rowOf(names: readonly string[], cells: readonly string[]): FeedRow {
  const row: FeedRow = Object.create(null);
  for (const [index, name] of names.entries()) {
    const cell = cells[index]?.trim() ?? '';
    if (cell !== '' && name !== '' && row[name] === undefined) row[name] = cell;
  }
  return row;
}

/** The id of a row that can't be read, where it is the first cell, before the fault. */
function idAtStart(text: string, delimiter: Delimiter, names: readonly string[]): string | null {
  const [first = '', ...others] = names;
  if (!isIdColumn(first) || others.some((name) => isIdColumn(name))) return null;
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
 * The rows of a delimited feed, by the names of its header. @param ids names of columns, of which the header must have one
 * @throws AppError MALFORMED without a header, and at the end when the last row is cut off
 */
export async function* readDelimited(
  chunks: AsyncIterable<string>,
  delimiter: Delimiter,
  newline: '\n' | '\r',
  ids = idColumns,
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
      // Cells of a tab-separated feed need no quotes, so a broken one is a character of the cell.
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
        names = headerOf(frame, delimiter, ids);
        continue;
      }
      if (batch.push(frame) >= BATCH) yield* flush(names);
    }
  } catch (error) {
    // Rows that were complete before a fault of the body are read.
    if (names) yield* flush(names);
    throw error;
  }
  if (names) yield* flush(names);
}

/** The text of one row; `text` is only the beginning where the row is too large. */
export interface RowFrame {
  text: string;
  state: 'whole' | 'too large' | 'broken quotes';
  /** false: the text ended before the line did. */
  ended: boolean;
}

/** The most characters of a row; a longer one is rejected. */
export const MAX_ROW = 256 * 1024;
/** How far the end of a quote is searched. */
const MAX_REACH = 8 * 1024 * 1024;
/** How many characters may be searched for the ends of quotes that don't close, as a feed of those alone would never end. */
const MAX_WASTED = 4 * 1024 * 1024 * 1024;
const KEPT = 8000;
const QUOTE = 34;
/** Characters that may be between a delimiter and a quote. */
const isBlank = (code: number) => code === 32 || code === 9 || code === 12 || code === 13;

type Scan = { end: number; cells: number } | 'more' | 'broken';

/**
 * Where the row that begins at `start` ends. Quotes are those of RFC 4180, but blanks may surround them; 'broken' where
 * a closing quote is followed by anything but a delimiter or the line's end.
 */
function scanRow(
  text: string,
  start: number,
  delimiter: number,
  newline: number,
  atEnd: boolean,
  maxCells: number,
): Scan {
  const isGap = (code: number) => isBlank(code) && code !== delimiter && code !== newline;
  let index = start;
  let cells = 1;
  for (;;) {
    while (isGap(text.charCodeAt(index))) index++;
    if (text.charCodeAt(index) === QUOTE) {
      for (index++; ; index += 2) {
        index = text.indexOf('"', index);
        if (index < 0 || (index === text.length - 1 && !atEnd)) return atEnd ? 'broken' : 'more';
        if (text.charCodeAt(index + 1) !== QUOTE) break;
      }
      index++;
      while (isGap(text.charCodeAt(index))) index++;
    } else {
      while (index < text.length && text.charCodeAt(index) !== delimiter && text.charCodeAt(index) !== newline) index++;
    }
    if (index >= text.length) return atEnd ? { end: text.length, cells } : 'more';
    const code = text.charCodeAt(index);
    if (code === newline) return { end: index, cells };
    if (code !== delimiter || ++cells > maxCells) return 'broken';
    index++;
  }
}

interface FrameOptions {
  delimiter: string;
  newline: '\n' | '\r';
  /** How many cells a row has; known once the header is read. */
  cells(): number;
}

/**
 * Splits delimited text into rows, without blank lines. A quote that doesn't close, or closes in a wrong place, spoils
 * its own line only: the rest is split as if that line were not there.
 * @throws AppError MALFORMED when too many quotes are broken
 */
export async function* rowFrames(chunks: AsyncIterable<string>, options: FrameOptions): AsyncGenerator<RowFrame> {
  const { newline } = options;
  const delimiter = options.delimiter.charCodeAt(0);
  const newlineCode = newline.charCodeAt(0);
  let buffer = '';
  let start = 0;
  let scanned = 0;
  let wasted = 0;
  let skipping = false;
  let quote = -1;

  /** Where the next quote is. Remembered, as megabytes without one may follow a quote that does not close. */
  function nextQuote(): number {
    if (quote < start) {
      const found = buffer.indexOf('"', start);
      quote = found < 0 ? Number.POSITIVE_INFINITY : found;
    }
    return quote;
  }

  /** The next row within the buffer; null when more text is needed. */
  function next(atEnd: boolean): RowFrame | null {
    const lineEnd = buffer.indexOf(newline, Math.max(start, scanned));
    if (skipping) {
      // The rest of a line that is too large is dropped.
      start = lineEnd < 0 ? buffer.length : lineEnd + 1;
      skipping = lineEnd < 0 && !atEnd;
      return skipping || start >= buffer.length ? null : next(atEnd);
    }
    scanned = lineEnd < 0 ? buffer.length : start;
    if (lineEnd < 0 && !atEnd) {
      if (buffer.length - start <= MAX_REACH) return null;
      const text = buffer.slice(start, start + KEPT);
      start = buffer.length;
      skipping = true;
      return { text, state: 'too large', ended: true };
    }
    const firstEnd = lineEnd < 0 ? buffer.length : lineEnd;
    if (nextQuote() > firstEnd) return take(firstEnd, firstEnd + 1);
    const cells = options.cells();
    const scan = scanRow(buffer, start, delimiter, newlineCode, atEnd, cells === 0 ? MAX_COLUMNS : cells + 100);
    if (scan === 'more' && buffer.length - start <= MAX_REACH) {
      scanned = start;
      return null;
    }
    if (typeof scan === 'object' && (scan.end === firstEnd || scan.cells === cells || cells === 0))
      return take(scan.end, scan.end + 1);
    wasted += (typeof scan === 'object' ? scan.end : scan === 'more' ? buffer.length : firstEnd) - firstEnd;
    if (wasted > MAX_WASTED) throw new AppError('MALFORMED', 'The feed has too many broken quotes.');
    return take(firstEnd, firstEnd + 1, 'broken quotes');
  }

  function take(end: number, after: number, state: RowFrame['state'] = 'whole'): RowFrame {
    const large = end - start > MAX_ROW;
    const text = buffer.slice(start, large ? start + KEPT : end);
    const ended = end < buffer.length;
    start = after;
    scanned = after;
    return { text, state: large ? 'too large' : state, ended };
  }

  for await (const chunk of chunks) {
    buffer = start >= buffer.length ? chunk : buffer.slice(start) + chunk;
    scanned = Math.max(0, scanned - start);
    quote = Number.isFinite(quote) ? quote - start : -1;
    start = 0;
    for (let frame = next(false); frame; frame = next(false)) if (frame.text.trim() !== '') yield frame;
  }
  while (start < buffer.length) {
    const frame = next(true);
    if (!frame) break;
    if (frame.text.trim() !== '') yield frame;
  }
}
