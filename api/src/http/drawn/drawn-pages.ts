import { statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Request } from 'express';
import type { FirstAnswer } from '../../base/first-answer.ts';
import type { Log } from '../../base/log.ts';
import { type Ask, type DrawnPage, type DrawThread, makeDrawThread } from './draw-thread.ts';
import { type DrawRule, fillPage, type PageFile } from './fill-page.ts';

/** What a visitor asks for. */
interface Asked {
  /** undefined if the list of pages is missing. */
  page: { path: string; drawn?: DrawRule } | undefined;
  request: Request;
  /** Whether the page says that this is a test, as the API does to the same visitor. */
  isTestMode: boolean;
}

export interface DrawnPages {
  /**
   * Fills the app's file with the page as a visitor sees it, which may have been drawn before.
   * @returns null for pages that are not drawn, or when it fails or takes longer than a visitor should wait
   */
  fill(empty: PageFile, asked: Asked): Promise<PageFile | null>;
  /** Gets ready to draw the page of a user whose data is being read. @returns whether it can be drawn */
  prepare(page: { path: string }, request: Request): boolean;
  /**
   * Fills the app's file with the page of a signed-in user, which nobody else gets.
   * @returns null when it fails or takes longer than a user should wait
   */
  fillForUser(empty: PageFile, request: Request, own: UserPage): Promise<PageFile | null>;
  close(): void;
}

/** What a page of a signed-in user is drawn with. */
export interface UserPage {
  /** What it asks for first. */
  answers: readonly FirstAnswer[];
  /** Asks as the user for what else it shows. */
  ask: Ask;
  userId: number;
}

interface DrawnOptions {
  /** `web/dist`. */
  folder: string;
  publicUrl: string;
  /** Makes what runs operations without a session. */
  asVisitor(isTestMode: boolean): Ask;
  /** Counts a page that is drawn for one visitor alone. @throws AppError when there were too many */
  count(request: Request): Promise<void>;
  log: Pick<Log, 'warn'>;
  /** How long a visitor waits for a page. */
  waitMs?: number;
  /** How long a user waits for one beyond its data, and for the first after the thread has started. */
  userWaitMs?: number;
  firstWaitMs?: number;
}

const WAIT_MS = 2_000;
const USER_WAIT_MS = 1_000;
const FIRST_WAIT_MS = 2_000;
/** The page of unknown addresses looks the same at each of them. */
const OTHER_PATH = '/no-such-page';
/** For so long, a page that has aged is sent while the next is drawn. */
const STALE_MS = 5_000;
/** What the address of a page that is drawn for one visitor may end with. */
const NAME = /^[\w-]{1,100}$/;
const MAX_SEARCH = 1_000;
/** A failing page is not tried again for so long. */
const PAUSE_MS = 5_000;
/** For so long after it was drawn, a page is better than an empty one when the next fails or is late. */
const SPARE_MS = 60_000;

interface Kept {
  /** What was tried last. */
  drawing: Promise<DrawnPage>;
  /** When to draw again, in milliseconds; infinite while it is drawn. */
  until: number;
  /** What was drawn last. */
  last?: { page: DrawnPage; at: number };
}

/** Keeps pages that are the same for all visitors, so that a crowd costs one drawing. */
export function makeDrawnPages({
  folder,
  publicUrl,
  asVisitor,
  count,
  log,
  waitMs = WAIT_MS,
  userWaitMs = USER_WAIT_MS,
  firstWaitMs = FIRST_WAIT_MS,
}: DrawnOptions): DrawnPages {
  const file = join(folder, 'server', 'draw.mjs');
  let thread: DrawThread | undefined;
  let builtAt: number | undefined;
  let kept = new Map<string, Kept>();
  let isFaulty = false;
  /** The last file of each drawn page. */
  const filled = new WeakMap<DrawnPage, { empty: PageFile; file: PageFile }>();

  /** The thread for the present build; undefined without one. */
  function threadOfBuild(): DrawThread | undefined {
    const writtenAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
    if (writtenAt === builtAt) return thread;
    thread?.close();
    kept = new Map();
    builtAt = writtenAt;
    thread = writtenAt === undefined ? undefined : makeDrawThread({ module: pathToFileURL(file), publicUrl });
    return thread;
  }

  /** The page that was drawn last, or one that is drawn now, for everybody who asks meanwhile. @throws when that fails */
  function drawOnce(key: string, { seconds }: DrawRule, draw: () => Promise<DrawnPage>): Promise<DrawnPage> {
    const keptMs = seconds === undefined ? Number.POSITIVE_INFINITY : seconds * 1000;
    const now = Date.now();
    let entry = kept.get(key);
    if (!entry || now >= entry.until) {
      const begun: Kept = { ...entry, drawing: draw(), until: Number.POSITIVE_INFINITY };
      kept.set(key, begun);
      begun.drawing.then(
        (page) => {
          begun.last = { page, at: Date.now() };
          begun.until = begun.last.at + keptMs;
        },
        () => {
          begun.until = Date.now() + PAUSE_MS;
        },
      );
      entry = begun;
    }
    // One that has just aged is still sent while the next is drawn.
    const { last, drawing } = entry;
    return last && now < last.at + keptMs + STALE_MS ? Promise.resolve(last.page) : drawing;
  }

  async function find({ address, isShared }: Target, rule: DrawRule, asked: Asked): Promise<DrawnPage | null> {
    const key = `${asked.isTestMode} ${address}`;
    const ask = asVisitor(asked.isTestMode);
    const found = await inTime(asked.request, waitMs, (draw, signal) =>
      // One for all goes on, for those who ask next.
      isShared ? drawOnce(key, rule, () => draw({ path: address, ask })) : draw({ path: address, ask, alone: signal }),
    );
    if (found !== 'failed') return found;
    const last = isShared ? kept.get(key)?.last : undefined;
    return last && Date.now() < last.at + SPARE_MS ? last.page : null;
  }

  /** @param draw told when nobody waits any more @returns null when the caller has gone */
  async function inTime(
    { res }: Request,
    limitMs: number,
    draw: (present: DrawThread['draw'], signal: AbortSignal) => Promise<DrawnPage>,
  ): Promise<DrawnPage | 'failed' | null> {
    const present = threadOfBuild();
    if (!present || res?.destroyed) return null;
    const over = new AbortController();
    const { signal } = over;
    const drawNow: DrawThread['draw'] = async (page) => {
      const drawn = await present.draw(page);
      isFaulty = false;
      return drawn;
    };
    let isGone = false;
    res?.once('close', () => {
      isGone = true;
      over.abort();
    });
    const late = setTimeout(() => over.abort(new Error(`not drawn within ${limitMs} ms`)), limitMs).unref();
    const ended = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
    try {
      return await Promise.race([draw(drawNow, signal), ended]);
    } catch (error) {
      if (isGone) return null;
      // One line until it works again, and without the address, which may be a secret.
      if (!isFaulty) log.warn('a page could not be drawn', { error });
      isFaulty = true;
      return 'failed';
    } finally {
      clearTimeout(late);
    }
  }

  return {
    async fill(empty, asked) {
      const rule = asked.page?.drawn;
      const target = rule && targetOf(asked, rule);
      if (!target) return null;
      try {
        if (!target.isShared) await count(asked.request);
      } catch {
        // The app says when it may be asked again.
        return null;
      }
      const found = await find(target, rule, asked);
      if (!found) return null;
      const before = filled.get(found);
      if (before?.empty.html === empty.html) return before.file;
      const file = fillPage(empty, found, rule);
      filled.set(found, { empty, file });
      return file;
    },
    prepare(page, request) {
      if (addressOf(page, request) === null) return false;
      const present = threadOfBuild();
      present?.wake();
      return present !== undefined;
    },
    async fillForUser(empty, request, { answers, ask, userId }) {
      const path = request.originalUrl;
      const limitMs = thread?.isWarm() ? userWaitMs : firstWaitMs;
      const found = await inTime(request, limitMs, (draw, alone) => draw({ path, ask, answers, userId, alone }));
      return found === 'failed' || found === null ? null : fillPage(empty, found, { starts: 'soon', ofUser: true });
    },
    close() {
      thread?.close();
    },
  };
}

/** The address to draw a page at that only one gets; null for other spellings, and what is too long. */
function addressOf(page: { path: string }, { path, url }: Request): string | null {
  const colon = page.path.indexOf(':');
  const name = colon !== -1 && path.startsWith(page.path.slice(0, colon)) ? path.slice(colon) : '';
  if (colon === -1 ? path !== page.path : !NAME.test(name)) return null;
  return url.length > MAX_SEARCH ? null : url;
}

/** A page to draw. */
interface Target {
  /** Its path, with the search if the page reads it. */
  address: string;
  /** Whether it serves all visitors. */
  isShared: boolean;
}

/** null for addresses that are left to the router of the browser: other spellings, and what is too long. */
function targetOf({ page, request }: Asked, { readsSearch }: DrawRule): Target | null {
  if (!page) return null;
  if (page.path === '*') return { address: OTHER_PATH, isShared: true };
  const { path, url } = request;
  const colon = page.path.indexOf(':');
  if (colon !== -1) {
    const name = path.startsWith(page.path.slice(0, colon)) ? path.slice(colon) : '';
    return NAME.test(name) ? { address: path, isShared: false } : null;
  }
  if (path !== page.path) return null;
  const search = readsSearch && url.includes('?') ? url.slice(url.indexOf('?')) : '';
  if (search.length > MAX_SEARCH) return null;
  return { address: path + search, isShared: search === '' };
}
