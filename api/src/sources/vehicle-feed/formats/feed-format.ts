import { AppError } from '../../../base/errors.ts';
import type { SourceBody } from '../../source-body.ts';
import { columnName, isIdColumn } from '../feed-row.ts';
import type { Delimiter } from './read-delimited.ts';
import { localName } from './xml-frames.ts';

/** How a feed is written; `recordNames` null: every child of the root is a record. */
export type FeedFormat =
  | { kind: 'delimited'; delimiter: Delimiter; newline: '\n' | '\r' }
  | { kind: 'xml'; recordNames: ReadonlySet<string> | null };

const HEAD = 256 * 1024;
const delimiters: Delimiter[] = ['\t', ',', ';', '|'];
const recordNames = new Set(
  'listing entry item vehicle car auto automobile ad advert offer product record row'.split(' '),
);

/** The feed's beginning, blanks before it left out. @throws AppError MALFORMED when there is nothing */
async function headOf(body: SourceBody): Promise<string> {
  let head = '';
  try {
    for await (const chunk of body.text()) {
      head = (head + chunk.slice(0, HEAD)).trimStart();
      if (head.length >= HEAD) break;
    }
  } catch (error) {
    // One that breaks off is told by what came of it; its reader meets the fault again.
    if (head === '') throw error;
  }
  if (head === '') throw new AppError('MALFORMED', 'The feed is empty.');
  return head;
}

/** The column names of a line, as far as telling delimiters apart needs them. */
const namesIn = (line: string, delimiter: string) =>
  line.split(delimiter).map((name) => columnName(name.replace(/^\s*"|"\s*$/g, '')));

function delimitedFormat(head: string): FeedFormat {
  const newline = head.includes('\n') ? '\n' : '\r';
  const line = head.slice(0, head.includes(newline) ? head.indexOf(newline) : undefined);
  const ranked = delimiters
    .map((delimiter) => {
      const names = namesIn(line, delimiter);
      return { delimiter, known: names.some(isIdColumn) ? 1 : 0, count: names.length };
    })
    .sort((a, b) => b.known - a.known || b.count - a.count);
  return { kind: 'delimited', delimiter: ranked[0]?.delimiter ?? ',', newline };
}

const MAX_RECORD_DEPTH = 4;

/** Whether an element near the root has a record's usual name. */
function hasUsualRecords(head: string): boolean {
  const tags = head
    .replace(/<!--[\s\S]*?(-->|$)|<!\[CDATA\[[\s\S]*?(\]\]>|$)/g, '')
    .matchAll(/<(\/?)([a-z_][\w.:-]{0,100})([\s/][^<>]{0,2000})?>/gi);
  let depth = 0;
  for (const [, end, name = '', rest = ''] of tags) {
    if (end === '') depth++;
    if (end === '' && depth > 1 && depth <= MAX_RECORD_DEPTH && recordNames.has(localName(name))) return true;
    if (end === '/' || rest.endsWith('/')) depth--;
  }
  return false;
}

function xmlFormat(head: string): FeedFormat {
  if (/^<!doctype\s+html|<html[\s>]/i.test(head.slice(0, 2000))) {
    throw new AppError('MALFORMED', 'The source answers with a web page, not with a feed.');
  }
  return { kind: 'xml', recordNames: hasUsualRecords(head) ? recordNames : null };
}

/**
 * How a feed is written, by what stands in it: names and content types are often wrong.
 * @throws AppError MALFORMED when it is empty or no feed
 */
export async function detectFormat(body: SourceBody): Promise<FeedFormat> {
  const head = await headOf(body);
  if (head.startsWith('<')) return xmlFormat(head);
  if (/^[[{]/.test(head))
    throw new AppError('MALFORMED', 'The source answers with JSON: read it as marketplace-items.');
  return delimitedFormat(head);
}
