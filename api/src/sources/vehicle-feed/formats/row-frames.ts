import { AppError } from '../../../base/errors.ts';

/** The text of one row; `text` is only the beginning where the row is too large. */
export interface RowFrame {
  text: string;
  state: 'whole' | 'too large' | 'broken quotes';
  /** false: the text ended before the line did. */
  ended: boolean;
}

/** A row above this is set aside. */
export const MAX_ROW = 256 * 1024;
/** How far a quote is followed to where it closes. */
const MAX_REACH = 8 * 1024 * 1024;
/** What may be read in vain, following quotes that don't close: a feed of nothing else would never end. */
const MAX_IN_VAIN = 4 * 1024 * 1024 * 1024;
const KEPT = 8000;
const MAX_COLUMNS = 2000;
const QUOTE = 34;
/** What may stand between a delimiter and a quote. */
const isBlank = (code: number) => code === 32 || code === 9 || code === 12 || code === 13;

type Scan = { end: number; cells: number } | 'more' | 'broken';

/**
 * Where the row that begins at `start` ends, quotes as in RFC 4180 but that blanks may stand around them; 'broken'
 * where a closing quote is followed by anything but a delimiter or the line's end.
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
 * Cuts delimited text into rows, blank lines left out. A quote that doesn't close, or closes where it can't, costs one
 * line and never what follows: the rest is cut as if that line were not there.
 * @throws AppError MALFORMED when quotes are broken all over
 */
export async function* rowFrames(chunks: AsyncIterable<string>, options: FrameOptions): AsyncGenerator<RowFrame> {
  const { newline } = options;
  const delimiter = options.delimiter.charCodeAt(0);
  const newlineCode = newline.charCodeAt(0);
  let buffer = '';
  let start = 0;
  let scanned = 0;
  let inVain = 0;
  let skipping = false;
  let quote = -1;

  /** Where the next quote stands. Looked for once: behind a quote that does not close lie megabytes without one. */
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
      // Inside of a line that is too large: nothing of it is kept.
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
    inVain += (typeof scan === 'object' ? scan.end : scan === 'more' ? buffer.length : firstEnd) - firstEnd;
    if (inVain > MAX_IN_VAIN) throw new AppError('MALFORMED', 'The quotes of the feed are broken all over.');
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
