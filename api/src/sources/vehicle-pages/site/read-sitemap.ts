import { SaxesParser } from 'saxes';
import { AppError } from '../../../base/errors.ts';

/** An address that a sitemap lists. */
export interface SitemapEntry {
  url: string;
  /** When it was last changed, as the sitemap says; null when it does not, or not in a readable way. */
  changedAt: Date | null;
}

export interface Sitemap {
  pages: SitemapEntry[];
  /** The sitemaps that an index lists. */
  sitemaps: SitemapEntry[];
}

/** The protocol allows 50,000 in one file. Source: sitemaps.org/protocol.html */
const MAX_ENTRIES = 50_000;
const MAX_DEPTH = 20;
const MAX_ADDRESS = 1_000;
/** Of one text, comment or element's attributes, which the parser keeps until their end, and of blanks before the first. */
const MAX_TEXT = 1024 * 1024;

const notWellFormed = (why: string) =>
  new AppError('MALFORMED', `a sitemap is not well-formed XML (${why.slice(0, 100)}).`);

function entryOf(url: string, changed: string): SitemapEntry {
  const at = Date.parse(changed.trim().slice(0, 40));
  return { url: url.trim(), changedAt: Number.isFinite(at) ? new Date(at) : null };
}

const isUsable = ({ url }: SitemapEntry) => url !== '' && url.length <= MAX_ADDRESS;

async function readXml(chunks: AsyncIterable<string>): Promise<Sitemap> {
  const found: Sitemap = { pages: [], sitemaps: [] };
  const parser = new SaxesParser();
  const open: string[] = [];
  let entry = { loc: '', lastmod: '' };
  let since = 0;
  // What stands before a fault is not all there is, and what is missing would look sold.
  parser.on('error', ({ message }) => {
    throw notWellFormed(message);
  });
  parser.on('opentag', ({ name }) => {
    since = 0;
    const local = name.slice(name.indexOf(':') + 1);
    if (local === 'url' || local === 'sitemap') entry = { loc: '', lastmod: '' };
    if (open.push(local) > MAX_DEPTH) throw notWellFormed('its elements are nested too deep');
  });
  const note = (text: string) => {
    const name = open.at(-1);
    // A page's images have addresses too, deeper.
    if (!['url', 'sitemap'].includes(open.at(-2) ?? '')) return;
    if ((name === 'loc' || name === 'lastmod') && entry[name].length <= MAX_ADDRESS) entry[name] += text;
  };
  parser.on('text', note);
  parser.on('cdata', note);
  parser.on('closetag', () => {
    since = 0;
    const name = open.pop();
    if (name !== 'url' && name !== 'sitemap') return;
    const read = entryOf(entry.loc, entry.lastmod);
    if (isUsable(read)) (name === 'url' ? found.pages : found.sitemaps).push(read);
  });
  for await (const text of chunks) {
    since += text.length;
    parser.write(text);
    if (since > MAX_TEXT) throw notWellFormed('a text in it is too long');
    if (found.pages.length + found.sitemaps.length > MAX_ENTRIES) return found;
  }
  parser.close();
  return found;
}

async function readLines(chunks: AsyncIterable<string>): Promise<Sitemap> {
  const pages: SitemapEntry[] = [];
  let count = 0;
  const note = (line: string) => {
    const entry = entryOf(line, '');
    if (++count <= MAX_ENTRIES && isUsable(entry) && /^https?:/i.test(entry.url)) pages.push(entry);
  };
  let last = '';
  for await (const chunk of chunks) {
    const lines = `${last}${chunk}`.split('\n');
    // A line that is longer than an address is none, however it ends.
    last = (lines.pop() ?? '').slice(0, 2 * MAX_ADDRESS);
    for (const line of lines) note(line);
    if (count >= MAX_ENTRIES) break;
  }
  note(last);
  return { pages, sitemaps: [] };
}

async function* after(first: string, rest: AsyncIterator<string>): AsyncGenerator<string> {
  yield first;
  yield* { [Symbol.asyncIterator]: () => rest };
}

/**
 * Reads a sitemap or an index of sitemaps: XML, or an address a line.
 * @throws AppError MALFORMED when it is neither; what `chunks` throws
 */
export async function readSitemap(chunks: AsyncIterable<string>): Promise<Sitemap> {
  const rest = chunks[Symbol.asyncIterator]();
  let start = '';
  for (let blanks = 0; start === ''; ) {
    const next = await rest.next();
    if (next.done) return { pages: [], sitemaps: [] };
    start = next.value.trimStart();
    blanks += next.value.length;
    if (start === '' && blanks > MAX_TEXT) throw new AppError('MALFORMED', 'a sitemap begins with blanks only.');
  }
  if (/^<(?:!doctype )?html/i.test(start)) throw new AppError('MALFORMED', 'a sitemap is a web page.');
  return start.startsWith('<') ? readXml(after(start, rest)) : readLines(after(start, rest));
}
