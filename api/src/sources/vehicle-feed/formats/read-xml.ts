import { AppError } from '../../../base/errors.ts';
import type { FeedEntry } from './feed-entry.ts';
import { type XmlFrame, XmlFrames } from './xml-frames.ts';
import { readXmlRow } from './xml-row.ts';

const PIECE = 64 * 1024;
const idElement =
  /<(?:\w{1,20}:)?(?:vehicle_id|auto_listing_id|id)\b[^<>]{0,200}>\s{0,20}(?:<!\[CDATA\[)?([^<>\]]{1,200})</i;

/** Parts of a chunk: what is cut off of a large one should not be copied again and again. */
function* pieces(chunk: string): Generator<string> {
  for (let start = 0; start < chunk.length; start += PIECE) yield chunk.slice(start, start + PIECE);
}

function entryOf({ text, fault }: XmlFrame): FeedEntry {
  const read = fault ?? readXmlRow(text);
  if ('row' in read) return { row: read.row };
  const id = idElement.exec(text)?.[1]?.trim();
  return { code: 'MALFORMED', ...read, record: text, ...(id && { id }) };
}

/**
 * The records of an XML feed, as nested objects of their elements' names. A record that is not well-formed costs only
 * itself; nothing that a DTD declares is expanded or fetched.
 * @throws AppError MALFORMED after all whole records when the document is cut off or not well-formed around them
 */
export async function* readXml(
  chunks: AsyncIterable<string>,
  recordNames: ReadonlySet<string> | null,
): AsyncGenerator<FeedEntry> {
  const frames = new XmlFrames(recordNames);
  for await (const chunk of chunks) {
    for (const piece of pieces(chunk)) for (const frame of frames.push(piece)) yield entryOf(frame);
  }
  for (const frame of frames.push('', true)) yield entryOf(frame);
  if (frames.fault !== null) throw new AppError('MALFORMED', `The feed is no well-formed XML: ${frames.fault}.`);
}
