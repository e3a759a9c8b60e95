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
  let fault: Error | null = null;
  parser.on('error', (error) => {
    fault ??= error;
  });
  parser.on('opentag', ({ name, isSelfClosing }) => {
    const local = name.slice(name.indexOf(':') + 1);
    if (local === 'url' || local === 'sitemap') entry = { loc: '', lastmod: '' };
    open.push(local);
    if (isSelfClosing && open.length > MAX_DEPTH) fault ??= new Error('its elements are nested too deep');
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
    const name = open.pop();
    if (open.length > MAX_DEPTH) fault ??= new Error('its elements are nested too deep');
    if (name !== 'url' && name !== 'sitemap') return;
    const read = entryOf(entry.loc, entry.lastmod);
    if (isUsable(read)) (name === 'url' ? found.pages : found.sitemaps).push(read);
  });
  for await (const text of chunks) {
    parser.write(text);
    if (fault || found.pages.length + found.sitemaps.length > MAX_ENTRIES) break;
  }
  if (!fault && found.pages.length + found.sitemaps.length <= MAX_ENTRIES) parser.close();
  // What stands before a fault is not all there is, and what is missing would look sold.
  if (fault)
    throw new AppError('MALFORMED', `a sitemap is not well-formed XML (${(fault as Error).message.slice(0, 100)}).`);
  return found;
}

async function readLines(chunks: AsyncIterable<string>): Promise<Sitemap> {
  let text = '';
  for await (const chunk of chunks) text += chunk;
  const pages = text
    .split('\n', MAX_ENTRIES)
    .map((line) => entryOf(line, ''))
    .filter((entry) => isUsable(entry) && /^https?:/i.test(entry.url));
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
  let first = '';
  while (first.trim() === '') {
    const next = await rest.next();
    if (next.done) return { pages: [], sitemaps: [] };
    first += next.value;
  }
  const start = first.trimStart();
  if (/^<(?:!doctype )?html/i.test(start)) throw new AppError('MALFORMED', 'a sitemap is a web page.');
  return start.startsWith('<') ? readXml(after(start, rest)) : readLines(after(start, rest));
}
