import { AppError } from '../../base/errors.ts';
import { type ParsedRecord, rejected, unreadReason } from '../../domain/facts/listing-facts.ts';
import { boundRecord, isRecord } from '../record/record-fields.ts';
import type { ParseContext, ReadRecords, SourceBody } from '../source-body.ts';
import { columnName, type FeedEntry, type FeedRow, feedRowId, idColumns, isFeedRow, isIdColumn } from './feed-row.ts';
import { type Delimiter, readDelimited } from './formats/read-delimited.ts';
import { readXml } from './formats/read-xml.ts';
import { localName } from './formats/xml-frames.ts';
import { parseFeedRow } from './parse-feed-row.ts';

/** Reads a rejected row again, from its JSON; empty where its line could not be read in the first place. */
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
 * Rejects pushed rows of a vehicle feed whose id occurs twice, as the reader of feeds does; marketplace items are left as
 * they are. @param records the record of each item, in their order
 */
export function rejectDuplicateRows(items: readonly unknown[], records: readonly ParsedRecord[]): ParsedRecord[] {
  const times = new Map<string, number>();
  const ids = items.map(rowIdOf);
  for (const id of ids) if (id !== null) times.set(id, (times.get(id) ?? 0) + 1);
  return records.map((record, index) => {
    const id = ids[index] ?? null;
    return id !== null && (times.get(id) ?? 0) > 1 ? rejectDuplicate(id, JSON.stringify(items[index])) : record;
  });
}

/** @param row as JSON */
function rejectDuplicate(id: string, row: string): ParsedRecord {
  return rejected('feed', id, 'DUPLICATE_ID', 'The vehicle_id occurs more than once.', row);
}

/** The most rows of a feed, as their ids are kept in memory; the largest dealers have a tenth. */
const MAX_ROWS = 1_000_000;
const MAX_ID_LENGTH = 200;

/** Names that a feed uses for its columns. */
export interface FeedNames {
  /** Of which a delimited feed must have one in its first line. */
  ids: readonly string[];
  /** The row under the names of Meta's catalogue. */
  toMetaRow(row: FeedRow): FeedRow;
}

const metaNames: FeedNames = { ids: idColumns, toMetaRow: (row) => row };

async function* translated(entries: AsyncIterable<FeedEntry>, names: FeedNames): AsyncGenerator<FeedEntry> {
  for await (const entry of entries) yield 'row' in entry ? translatedRow(entry.row, names) : entry;
}

function translatedRow(row: FeedRow, names: FeedNames): FeedEntry {
  try {
    return { row: names.toMetaRow(row) };
  } catch (error) {
    const id = feedRowId(row);
    return { code: 'MALFORMED', reason: unreadReason(error), record: JSON.stringify(row), ...(id !== null && { id }) };
  }
}

function entriesOf(body: SourceBody, format: FeedFormat, names: FeedNames): AsyncIterable<FeedEntry> {
  const entries =
    format.kind === 'xml'
      ? readXml(body.text(), format.recordNames)
      : readDelimited(body.text(), format.delimiter, format.newline, names.ids);
  // One more generator costs several ticks of the event loop a row.
  return names === metaNames ? entries : translated(entries, names);
}

const idOf = (entry: FeedEntry): string | null => ('row' in entry ? feedRowId(entry.row) : (entry.id ?? null));

/** The ids that occur twice. A fault of the body ends the search; the second read reports it. */
async function duplicateIds(body: SourceBody, format: FeedFormat, names: FeedNames): Promise<ReadonlySet<string>> {
  const seen = new Set<string>();
  const duplicates = new Set<string>();
  let rows = 0;
  const entries = entriesOf(body, format, names)[Symbol.asyncIterator]();
  for (;;) {
    const next = await entries.next().catch(() => ({ done: true, value: undefined }) as const);
    if (next.done) return duplicates;
    rows++;
    if (rows > MAX_ROWS)
      throw new AppError('MALFORMED', `The feed has more than ${MAX_ROWS.toLocaleString('en-US')} rows.`);
    const id = idOf(next.value);
    if (id === null || id.length > MAX_ID_LENGTH) continue;
    if (seen.has(id)) duplicates.add(id);
    // A copy, as a slice would keep its chunk of the feed in memory.
    else seen.add(Buffer.from(id).toString());
  }
}

/**
 * Reads a feed of vehicles as CSV, TSV or XML, whichever its content is. Reads the body three times: its
 * beginning, its ids, its rows. All rows of an id that occurs twice are rejected.
 * @throws AppError MALFORMED when it is no feed, and after all complete rows when it is cut off
 */
export async function* readFeed(
  body: SourceBody,
  context: ParseContext,
  names: FeedNames,
): AsyncGenerator<ParsedRecord> {
  const format = await detectFormat(body, names.ids);
  const duplicates = await duplicateIds(body, format, names);
  for await (const entry of entriesOf(body, format, names)) {
    if (!('row' in entry)) {
      yield rejected('feed', entry.id ?? null, entry.code, entry.reason, entry.record);
      continue;
    }
    const id = duplicates.size > 0 ? idOf(entry) : null;
    yield id !== null && duplicates.has(id)
      ? rejectDuplicate(id, JSON.stringify(entry.row))
      : parseFeedRow(entry.row, context);
  }
}

/** Reads a feed of Meta's vehicle catalogue. Source: developers.facebook.com/docs/marketing-api/auto-ads/reference */
export const readVehicleFeed: ReadRecords = (body, context) => readFeed(body, context, metaNames);

/** The format of a feed; `recordNames` null: every child of the root is a record. */
export type FeedFormat =
  | { kind: 'delimited'; delimiter: Delimiter; newline: '\n' | '\r' }
  | { kind: 'xml'; recordNames: ReadonlySet<string> | null };

const HEAD = 256 * 1024;
const delimiters: Delimiter[] = ['\t', ',', ';', '|'];
const recordNames = new Set(
  'listing entry item vehicle car auto automobile ad advert offer product record row'.split(' '),
);

/** The feed's beginning without leading blanks. @throws AppError MALFORMED when it is empty */
async function headOf(body: SourceBody): Promise<string> {
  let head = '';
  try {
    for await (const chunk of body.text()) {
      head = (head + chunk.slice(0, HEAD)).trimStart();
      if (head.length >= HEAD) break;
    }
  } catch (error) {
    // The format of a body that breaks off is found by its beginning; its reader reports the fault.
    if (head === '') throw error;
  }
  if (head === '') throw new AppError('MALFORMED', 'The feed is empty.');
  return head;
}

/** The column names of a line when it is split by a delimiter, quotes ignored. */
const namesIn = (line: string, delimiter: string) =>
  line.split(delimiter).map((name) => columnName(name.replace(/^\s*"|"\s*$/g, '')));

function delimitedFormat(head: string, ids: readonly string[]): FeedFormat {
  const newline = head.includes('\n') ? '\n' : '\r';
  const line = head.slice(0, head.includes(newline) ? head.indexOf(newline) : undefined);
  const ranked = delimiters
    .map((delimiter) => {
      const names = namesIn(line, delimiter);
      return { delimiter, known: names.some((name) => isIdColumn(name, ids)) ? 1 : 0, count: names.length };
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
 * The format of a feed by its content, as names and content types are often wrong.
 * @throws AppError MALFORMED when it is empty or no feed
 */
export async function detectFormat(body: SourceBody, ids = idColumns): Promise<FeedFormat> {
  const head = await headOf(body);
  if (head.startsWith('<')) return xmlFormat(head);
  if (/^[[{]/.test(head))
    throw new AppError(
      'MALFORMED',
      'The source answers with JSON, which is no such feed: add it as a list of items (marketplace-items) or as an API that answers JSON (json-feed).',
    );
  return delimitedFormat(head, ids);
}
