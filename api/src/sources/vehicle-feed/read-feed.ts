import { AppError } from '../../base/errors.ts';
import { type ParsedRecord, rejected } from '../../domain/facts/listing-facts.ts';
import { boundRecord, isRecord } from '../record/record-fields.ts';
import type { ParseContext, ReadRecords, SourceBody } from '../source-body.ts';
import { columnName, type FeedEntry, feedRowId, isFeedRow, isIdColumn } from './feed-row.ts';
import { type Delimiter, readDelimited } from './formats/read-delimited.ts';
import { readXml } from './formats/read-xml.ts';
import { localName } from './formats/xml-frames.ts';
import { parseFeedRow } from './parse-feed-row.ts';

/** Reads a row that was set aside, from its JSON; nothing where the line itself could not be read. */
export function readFeedRecord(record: string, context: ParseContext): ParsedRecord[] {
  try {
    const row: unknown = JSON.parse(record);
    return isRecord(row) ? [parseFeedRow(row, context, record.length)] : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

function rowIdOf(item: unknown): string | null {
  const bounded = boundRecord(item);
  const row = isRecord(bounded) && isRecord(bounded.listing) ? bounded.listing : bounded;
  return isRecord(row) && isFeedRow(row) ? feedRowId(row) : null;
}

/**
 * Refuses the rows of a vehicle feed that were pushed as items with an id that stands twice, as their feed's reader
 * does; marketplace items are left as they are. @param records what was read of each item, in their order
 */
export function refuseDoubledRows(items: readonly unknown[], records: readonly ParsedRecord[]): ParsedRecord[] {
  const times = new Map<string, number>();
  const ids = items.map(rowIdOf);
  for (const id of ids) if (id !== null) times.set(id, (times.get(id) ?? 0) + 1);
  return records.map((record, index) => {
    const id = ids[index] ?? null;
    return id !== null && (times.get(id) ?? 0) > 1 ? rejectDoubled(id, JSON.stringify(items[index])) : record;
  });
}

/** @param row as JSON */
function rejectDoubled(id: string, row: string): ParsedRecord {
  return rejected('feed', id, 'DUPLICATE_ID', 'The vehicle_id stands more than once.', row);
}

/** What the ids of a feed may cost in memory ends here; the largest dealers have a tenth. */
const MAX_ROWS = 1_000_000;
const LONGEST_ID = 200;

function entriesOf(body: SourceBody, format: FeedFormat): AsyncIterable<FeedEntry> {
  return format.kind === 'xml'
    ? readXml(body.text(), format.recordNames)
    : readDelimited(body.text(), format.delimiter, format.newline);
}

const idOf = (entry: FeedEntry): string | null => ('row' in entry ? feedRowId(entry.row) : (entry.id ?? null));

/** The ids that stand twice. A fault of the body ends the search: the second reading meets it again. */
async function doubledIds(body: SourceBody, format: FeedFormat): Promise<ReadonlySet<string>> {
  const seen = new Set<string>();
  const doubled = new Set<string>();
  let rows = 0;
  const entries = entriesOf(body, format)[Symbol.asyncIterator]();
  for (;;) {
    const next = await entries.next().catch(() => ({ done: true, value: undefined }) as const);
    if (next.done) return doubled;
    rows++;
    if (rows > MAX_ROWS)
      throw new AppError('MALFORMED', `The feed has more than ${MAX_ROWS.toLocaleString('en-US')} rows.`);
    const id = idOf(next.value);
    if (id === null || id.length > LONGEST_ID) continue;
    if (seen.has(id)) doubled.add(id);
    // A copy: a slice would keep its chunk of the feed alive.
    else seen.add(Buffer.from(id).toString());
  }
}

/**
 * Reads a feed of Meta's vehicle catalogue, CSV, TSV or XML, told apart by content. Reads the body three times: its
 * beginning, its ids, its rows. An id that stands twice is rejected in all its rows.
 * @throws AppError MALFORMED when it is no feed, and after all whole rows when it is cut off
 * Source: developers.facebook.com/docs/marketing-api/auto-ads/reference
 */
export const readVehicleFeed: ReadRecords = async function* (body, context) {
  const format = await detectFormat(body);
  const doubled = await doubledIds(body, format);
  for await (const entry of entriesOf(body, format)) {
    if (!('row' in entry)) {
      yield rejected('feed', entry.id ?? null, entry.code, entry.reason, entry.record);
      continue;
    }
    const id = doubled.size > 0 ? idOf(entry) : null;
    yield id !== null && doubled.has(id)
      ? rejectDoubled(id, JSON.stringify(entry.row))
      : parseFeedRow(entry.row, context);
  }
};

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
