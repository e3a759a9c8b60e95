import { once } from 'node:events';
import { stringify } from 'csv-stringify/sync';
import type { Response } from 'express';
import type { Call, CsvFile } from '../calls/call.ts';

interface Page {
  /** A list; each item becomes a line. */
  answer: unknown;
  /** The cursor of the next page. */
  next: string | null;
}

interface PageFormat {
  type: string;
  /** What stands before the first page. */
  head: string;
  linesOf(items: readonly unknown[]): string;
}

const jsonLines: PageFormat = {
  type: 'application/x-ndjson',
  head: '',
  linesOf: (items) => items.map((item) => `${JSON.stringify(item)}\n`).join(''),
};

/** What begins a cell with a formula where a spreadsheet separates by semicolons or tabs, as in much of Europe. */
const innerFormula = /[;\t](?:"|[^\S\t])*(?=[=+\-@＝＋－＠])/g;

/**
 * For spreadsheets: with a byte order mark, without which Excel does not read UTF-8, and with a quote before a text that
 * it would otherwise run as a formula. What sellers write stands in such texts.
 */
function csvLines({ columns }: CsvFile): PageFormat {
  const options = {
    record_delimiter: 'windows',
    escape_formulas: true,
    cast: { string: (text: string) => text.replace(innerFormula, "$&'") },
  } as const;
  return {
    type: 'text/csv; charset=utf-8',
    head: stringify([columns.map(({ name }) => name)], { ...options, bom: true }),
    linesOf: (items) =>
      stringify(
        items.map((item) => columns.map(({ of }) => of(item))),
        options,
      ),
  };
}

/** Whether a call's list is sent with all of its pages. */
export const sendsAllPages = ({ lines, csv }: Call): boolean => lines === true || csv !== undefined;

/**
 * Sends all pages of a list as lines, as fast as the client reads. An error after the first page ends the response after a
 * complete line, so that the client can continue from there.
 */
export async function sendPages(
  response: Response,
  { csv }: Call,
  first: Page,
  read: (after: string) => Promise<Page>,
): Promise<void> {
  const format = csv ? csvLines(csv) : jsonLines;
  response.status(200).type(format.type);
  if (csv) response.attachment(csv.file).type(format.type);
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  response.write(format.head);
  for (let page = first; ; ) {
    const hasRoom = response.write(format.linesOf(page.answer as unknown[]));
    if (!hasRoom) await once(response, 'drain', { signal: gone.signal }).catch(() => {});
    if (page.next === null || gone.signal.aborted) break;
    page = await read(page.next);
  }
  response.end();
}
