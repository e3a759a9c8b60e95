import { statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Request } from 'express';
import type { Log } from '../../base/log.ts';
import { type AskAsVisitor, type DrawnPage, type DrawThread, makeDrawThread } from './draw-thread.ts';
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
  close(): void;
}

interface DrawnOptions {
  /** `web/dist`. */
  folder: string;
  publicUrl: string;
  /** Makes what runs operations without a session. */
  asVisitor(isTestMode: boolean): AskAsVisitor;
  /** Counts a page that is drawn for one visitor alone. @throws AppError when there were too many */
  count(request: Request): Promise<void>;
  log: Pick<Log, 'warn'>;
  /** How long a visitor waits for a page. */
  waitMs?: number;
}

const WAIT_MS = 2_000;
/** The page of unknown addresses looks the same at each of them. */
const OTHER_PATH = '/no-such-page';
/** For so long, a page that has aged is sent while the next is drawn. */
const STALE_MS = 5_000;
/** What the address of a page that is drawn for one visitor may end with. */
const NAME = /^[\w-]{1,100}$/;
const MAX_SEARCH = 1_000;
/** A failing page is not tried again for so long. */
const PAUSE_MS = 5_000;

interface Kept {
  page: Promise<DrawnPage>;
  until: number;
  isDrawn?: true;
}

/** Keeps pages that are the same for all visitors, so that a crowd costs one drawing. */
export function makeDrawnPages({
  folder,
  publicUrl,
  asVisitor,
  count,
  log,
  waitMs = WAIT_MS,
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

  /** The page that was drawn last, or one that is drawn now, for everybody who asks meanwhile. */
  function drawOnce(key: string, { seconds }: DrawRule, draw: () => Promise<DrawnPage>): Promise<DrawnPage> {
    const before = kept.get(key);
    const now = Date.now();
    if (before && now < before.until) return before.page;
    const page = draw();
    const entry: Kept = { page, until: Number.POSITIVE_INFINITY };
    // One that has just aged is still sent while the next is drawn.
    const isUsable = before?.isDrawn === true && now < before.until + STALE_MS;
    kept.set(key, isUsable ? { ...before, until: before.until + STALE_MS } : entry);
    page.then(
      () =>
        kept.set(key, {
          page,
          until: seconds === undefined ? entry.until : Date.now() + seconds * 1000,
          isDrawn: true,
        }),
      () => kept.set(key, { page, until: Date.now() + PAUSE_MS }),
    );
    return isUsable ? before.page : page;
  }

  async function find({ address, isShared }: Target, rule: DrawRule, asked: Asked): Promise<DrawnPage | null> {
    const present = threadOfBuild();
    if (!present) return null;
    const late = new Promise<'late'>((resolve) => {
      setTimeout(resolve, waitMs, 'late').unref();
    });
    try {
      const draw = () => present.draw(address, asVisitor(asked.isTestMode));
      const page = isShared ? drawOnce(`${asked.isTestMode} ${address}`, rule, draw) : draw();
      const found = await Promise.race([page, late]);
      if (found !== 'late') {
        isFaulty = false;
        return found;
      }
      // It goes on, for those who ask next.
      page.catch(() => undefined);
      throw new Error(`not drawn within ${waitMs} ms`);
    } catch (error) {
      // One line until it works again, and without the address, which may be a secret.
      if (!isFaulty) log.warn('a page could not be drawn and is sent empty', { error });
      isFaulty = true;
      return null;
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
    close() {
      thread?.close();
    },
  };
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
