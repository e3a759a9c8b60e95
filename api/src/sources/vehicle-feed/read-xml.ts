import { SaxesParser } from 'saxes';
import { AppError } from '../../base/errors.ts';
import type { FeedEntry } from './feed-entry.ts';
import { XmlRecords } from './xml-records.ts';

/** One tag or text above this ends the read: the parser holds it whole. */
const MAX_TOKEN = 16 * 1024 * 1024;
const PIECE = 32 * 1024;
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids them, sellers write them
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
/** Names that HTML knows and XML doesn't. */
const entities = {
  nbsp: ' ',
  copy: '©',
  reg: '®',
  trade: '™',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  bull: '•',
  rsquo: '’',
  lsquo: '‘',
  rdquo: '”',
  ldquo: '“',
  eacute: 'é',
};

function message(error: Error): string {
  return error.message.replace(/^(\d+:\d+: )+/, '').slice(0, 200);
}

/** Parts of a chunk, none ending between the halves of a character. */
function* pieces(chunk: string): Generator<string> {
  for (let start = 0; start < chunk.length; ) {
    let end = Math.min(start + PIECE, chunk.length);
    if (end < chunk.length && /[\ud800-\udbff]/.test(chunk.charAt(end - 1))) end++;
    yield chunk.slice(start, end);
    start = end;
  }
}

/**
 * The records of an XML feed, as nested objects of their elements' names. Entities other than XML's and HTML's usual
 * ones are never expanded, nothing outside is read.
 * @throws AppError MALFORMED at the end, when the document is not well-formed around its records or is cut off
 */
export async function* readXml(
  chunks: AsyncIterable<string>,
  recordNames: ReadonlySet<string> | null,
): AsyncGenerator<FeedEntry> {
  const parser = new SaxesParser({ xmlns: false, position: false });
  const records = new XmlRecords(recordNames);
  Object.assign(parser.ENTITIES, entities);
  let fault: string | null = null;
  let sinceToken = 0;
  const seen =
    <T>(see: (what: T) => void) =>
    (what: T) => {
      sinceToken = 0;
      see(what);
    };
  parser.on(
    'opentag',
    seen((tag) => records.open(tag.name, tag.attributes)),
  );
  parser.on(
    'closetag',
    seen(() => records.close()),
  );
  parser.on(
    'text',
    seen((text) => records.text(text)),
  );
  parser.on(
    'cdata',
    seen((text) => records.text(text)),
  );
  parser.on(
    'comment',
    seen(() => {}),
  );
  parser.on(
    'doctype',
    seen(() => {}),
  );
  parser.on('error', (error) => {
    // A bare ampersand or a character that XML forbids harms nothing: it stays as it is written.
    if (
      /disallowed character\.|disallowed character in entity|empty entity|malformed character entity/.test(
        error.message,
      )
    )
      return;
    if (!records.spoil(message(error))) fault ??= message(error);
  });

  let begun = false;
  for await (const chunk of chunks) {
    const text: string = begun ? chunk : chunk.trimStart();
    begun ||= text !== '';
    for (const piece of pieces(text)) {
      sinceToken += piece.length;
      if (sinceToken > MAX_TOKEN) throw new AppError('MALFORMED', 'One element of the feed is larger than 16 MB.');
      parser.write(piece.toWellFormed().replace(forbidden, ' '));
      yield* records.take();
    }
  }
  records.end();
  parser.close();
  yield* records.take();
  if (fault !== null) throw new AppError('MALFORMED', `The feed is no well-formed XML: ${fault}`);
}
