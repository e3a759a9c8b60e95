import { createHash } from 'node:crypto';
import pLimit from 'p-limit';
import { z } from 'zod';
import { tryDecrypt } from '../../base/encryption.ts';
import { AppError } from '../../base/errors.ts';
import type { ParsedRecord } from '../../domain/facts/listing-facts.ts';
import { wholeText } from '../decode-body.ts';
import type { ReadEnd, ReadPages, RecordPage, RequestDeps, RequestSource, StoredPage } from '../kinds/source-kind.ts';
import { makeItemReader, parseJson } from '../marketplace-items/read-marketplace-items.ts';
import { requireFewValues } from '../record/few-values.ts';
import { idOf } from '../source-page.ts';
import type { JsonFeedSettings } from './json-feed-settings.ts';
import { type JsonPath, parseJsonPath } from './json-path.ts';
import { type Mapping, makeMapping } from './map-item.ts';
import { type PagePosition, pageAddress } from './page-addresses.ts';
import { type Answer, type AnswerPaths, readAnswer } from './read-answer.ts';

/** An answer is parsed as a whole. */
const MAX_BYTES = 16 * 1024 * 1024;
/** After so long a read goes on later, so that other sources have their turn. */
const SLICE_MS = 45_000;
/** The ids of a whole read are kept in memory, so that it is made at once. */
const WHOLE_MS = 600_000;
/** In a longer time new cars on top could move known ones to where a read of the newest goes on, and end it there. */
const POSITION_MS = 120_000;
/** Shorter texts would be found in other texts by chance. */
const MIN_SECRET = 6;

const TOO_LONG = 'The read took more than 10 minutes, so that no car is taken as gone: narrow the search.';

const malformed = (message: string) => new AppError('MALFORMED', message);

function pathOf(text: string): JsonPath {
  const path = parseJsonPath(text);
  if (!path) throw malformed(`${text} is no path.`);
  return path;
}

const secretsOf = ({ header, query }: JsonFeedSettings): string[] =>
  [header?.value, query?.value]
    .flatMap((value) => (value === undefined ? [] : [value.replace(/^\w+ +/, ''), encodeURIComponent(value)]))
    .filter((value) => value.length >= MIN_SECRET);

function parsed(text: string): unknown {
  if (text.trimStart().startsWith('<')) throw malformed('The source answers with a web page, not with JSON.');
  requireFewValues(text);
  try {
    return parseJson(text, true);
  } catch {
    throw malformed('The answer is not valid JSON.');
  }
}

/** Text and document of an answer take many times the memory of what is read of them. */
const parseOneByOne = pLimit(1);

/** @throws WebFetchError, AppError MALFORMED */
async function fetchAnswer(
  url: URL,
  settings: JsonFeedSettings,
  deps: RequestDeps,
  read: (document: unknown) => Answer,
): Promise<[Answer, number]> {
  const { header, query } = settings;
  const asked = new URL(url);
  if (query) asked.searchParams.set(query.name, query.value);
  const page = await deps.request({
    url: asked.href,
    headers: { accept: 'application/json', ...(header && { [header.name]: header.value }) },
    maxBytes: MAX_BYTES,
  });
  if (page.status === 'unchanged') throw malformed('The source answers with "not modified".');
  try {
    return [await parseOneByOne(async () => read(parsed(await wholeText(page)))), page.body.size];
  } finally {
    await page.body.close();
  }
}

const counted = (count: number) => `${count.toLocaleString('en-US')} ${count === 1 ? 'item' : 'items'}`;

/** @throws AppError MALFORMED when an empty list is more likely a fault than the truth */
function requireItems({ items, total }: Answer, at: PagePosition, order: JsonFeedSettings['order']): void {
  if (items.length > 0 || at.pages > 0 || total === 0) return;
  if (total !== null) throw malformed(`The answer lists no items, but says that there are ${counted(total)}.`);
  if (order === 'whole') {
    throw malformed('The answer lists no items. No car is taken as gone, as only total could say that there are none.');
  }
}

/** Where a read goes on that was made in part. */
const position = z.object({
  /** The address of its last page. */
  url: z.string(),
  pages: z.number(),
  items: z.number(),
  fresh: z.number(),
  next: z.string().nullable(),
  total: z.number().nullable(),
  shown: z.string(),
  /** How far an interrupted read before it had come. */
  depth: z.number(),
  /** When it was stored, in milliseconds; an earlier version did not say. */
  storedAt: z.number().default(0),
});
type Position = z.infer<typeof position>;

/** Encrypted, as the address of a next page may repeat a caller's key. */
const storedPosition = (at: Position, { encryption }: RequestDeps): string => encryption.encrypt(JSON.stringify(at));

function positionOf({ cursor }: RequestSource<unknown>, { encryption }: RequestDeps): Position | null {
  const text = typeof cursor.at === 'string' ? tryDecrypt(encryption, cursor.at) : null;
  return text === null ? null : (position.safeParse(JSON.parse(text)).data ?? null);
}

/** How many items from the top a read has seen, or an interrupted read before it. */
const reachedBy = ({ items, fresh }: Pick<Position, 'items' | 'fresh'>, depth: number): number =>
  Math.max(depth + fresh, items);

/** How a read goes on, and what it knows at its end. */
class Progress implements PagePosition {
  pages = 0;
  items = 0;
  fresh = 0;
  next: string | null = null;
  total: number | null = null;
  shown = '';
  private readonly asked = new Set<string>();

  constructor(at: Position | null) {
    if (at === null) return;
    ({ pages: this.pages, items: this.items, fresh: this.fresh } = at);
    ({ next: this.next, total: this.total, shown: this.shown } = at);
    this.asked.add(at.url);
  }

  /** @param url of the last page */
  at({ href }: URL, depth: number, now: Date): Position {
    const { pages, items, fresh, next, total, shown } = this;
    return { url: href, pages, items, fresh, next, total, shown, depth, storedAt: now.getTime() };
  }

  /** @returns whether this address was asked before, as of a server whose last page names an earlier one as the next */
  ask({ href }: URL): boolean {
    const isAsked = this.asked.has(href);
    this.asked.add(href);
    return isAsked;
  }

  /** @returns whether the page before had the same items, as of a server that does not divide into pages */
  isRepeated({ items }: Answer): boolean {
    const ids = JSON.stringify(items.map(({ id, vin, url }) => id ?? vin ?? url));
    const shown = createHash('sha1').update(ids).digest('base64url');
    const isSame = shown === this.shown;
    this.shown = shown;
    return isSame;
  }

  add({ items, next }: Answer, stored: StoredPage): void {
    this.pages++;
    this.items += items.length;
    this.fresh += stored.fresh;
    this.next = next;
  }

  get hasAll(): boolean {
    return this.total !== null && this.items >= this.total;
  }
}

/** @throws AppError MALFORMED when the read did not see all there is, so that nothing may be taken as gone */
function requireAll(progress: Progress, isCut: boolean): void {
  const { items, total, pages } = progress;
  if (isCut) throw malformed(`There are more than ${pages} pages, so that no car is taken as gone: see maxPages.`);
  if (total !== null && items < total) {
    throw malformed(
      `The pages hold ${counted(items)}, but the answer says that there are ${counted(total)}: no car is taken as gone.`,
    );
  }
}

function recordPage(
  { items }: Answer,
  bytes: number,
  readItem: (raw: unknown) => ParsedRecord,
  present: Set<string>,
  now: () => Date,
): RecordPage {
  return {
    async *records() {
      for (const item of items) {
        const record = readItem(item);
        const id = idOf(record);
        if (id !== null) present.add(id);
        yield record;
      }
    },
    bytes,
    seenAt: now(),
    close: async () => {},
  };
}

/** The number of items that a read, which broke off, had reached when it was to be complete. */
const reachOf = ({ cursor }: RequestSource<unknown>): number => (typeof cursor.reach === 'number' ? cursor.reach : 0);

/**
 * Reads the pages of an API by the mapping of its settings: all of them, or, where the newest come first, until a whole page
 * is known.
 * @throws WebFetchError, AppError MALFORMED, in words for the operator, when an answer has another shape than the mapping
 */
export const readJsonFeed: ReadPages<JsonFeedSettings> = async function* (source, deps) {
  const { settings, firstReadDone } = source;
  const { order, paging, total } = settings;
  const start = new URL(settings.url);
  const mapping: Mapping = makeMapping(settings, start.href, secretsOf(settings));
  const paths: AnswerPaths = {
    items: pathOf(settings.items),
    total: total === undefined ? undefined : pathOf(total),
    next: paging?.by === 'cursor' ? pathOf(paging.next) : undefined,
  };
  const readItem = makeItemReader({ gazetteer: deps.gazetteer, now: deps.now() });
  const present = new Set<string>();
  const stored = positionOf(source, deps);
  const reached = Math.max(reachOf(source), stored ? reachedBy(stored, stored.depth) : 0);
  const began = deps.now().getTime();
  const isLate = stored !== null && order === 'newest-first' && began - stored.storedAt > POSITION_MS;
  const resumed = isLate ? null : stored;
  const progress = new Progress(resumed);
  const interruptedDepth = resumed?.depth ?? reached;
  // Where it can't go on, as the next page has expired meanwhile, the next read begins at the first one.
  if (resumed) await deps.saveCursor({ reach: reached });
  // One that is always late comes further than before nevertheless.
  const sliceMs = isLate ? WHOLE_MS : SLICE_MS;
  let isEnd = false;
  let url = pageAddress(start, resumed ? new URL(resumed.url) : start, paging, progress);
  for (; url !== null && progress.pages < settings.maxPages; url = pageAddress(start, url, paging, progress)) {
    isEnd = progress.ask(url);
    if (isEnd) break;
    if (progress.pages > (resumed?.pages ?? 0)) await deps.wait(settings.pauseMs);
    const [answer, bytes] = await fetchAnswer(url, settings, deps, (document) => readAnswer(document, paths, mapping));
    requireItems(answer, progress, order);
    progress.total = answer.total ?? progress.total;
    isEnd = answer.items.length === 0 || progress.isRepeated(answer);
    if (isEnd) break;
    if (order === 'newest-first') {
      const reach = reachedBy(progress, interruptedDepth) + answer.items.length;
      await deps.saveCursor({ reach });
    }
    const before = progress.items;
    const page = yield recordPage(answer, bytes, readItem, present, deps.now);
    progress.add(answer, page);
    const isKnown = page.changed === 0 && page.unchanged > 0 && before >= interruptedDepth + progress.fresh;
    isEnd = progress.hasAll || (order === 'newest-first' && firstReadDone && isKnown);
    if (isEnd) break;
    const tookMs = deps.now().getTime() - began;
    if (order === 'whole' && tookMs > WHOLE_MS) throw malformed(TOO_LONG);
    if (order !== 'whole' && tookMs > sliceMs && deps.sampleSize === undefined) {
      const at = storedPosition(progress.at(url, interruptedDepth, deps.now()), deps);
      const reach = reachedBy(progress, interruptedDepth);
      return { cursor: { at, reach }, complete: false, againInSeconds: settings.pauseMs / 1000 };
    }
  }
  const end: ReadEnd = { cursor: {}, complete: true, isEmpty: progress.items === 0 && progress.total !== 0 };
  if (order !== 'whole') return end;
  requireAll(progress, !isEnd && url !== null);
  return { ...end, present };
};
