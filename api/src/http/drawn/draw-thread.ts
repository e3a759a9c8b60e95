import { Worker } from 'node:worker_threads';
import type { DocumentNode } from 'graphql';
import type { FirstAnswer } from '../../base/first-answer.ts';

/** A page as the web app's module draws it. */
export interface DrawnPage {
  /** Of the document, without the site's name; null leaves that of the page's head. */
  title: string | null;
  /** What goes into `#root`. */
  html: string;
  /** Style sheets, each with its name for the browser's style engine. */
  styles: readonly { name: string; css: string }[];
  /** JSON that may stand in a script element. */
  data: string;
}

/** Runs an operation of the web app as the one whose page it is. @throws when any field fails */
export type Ask = (document: DocumentNode, variables: Record<string, unknown>) => Promise<Record<string, unknown>>;

/** A page to draw. */
export interface PageToDraw {
  /** Its path, with its search. */
  path: string;
  ask: Ask;
  /** For a signed-in user's page. */
  answers?: readonly FirstAnswer[];
  /** Whose page it is. A user has one at a time in hand. */
  userId?: number;
  /** For a page that only one gets: aborted when nobody waits any more, so that it is left out, or ends at its next question. */
  alone?: AbortSignal | undefined;
}

export interface DrawThread {
  /**
   * Draws a page after those before it.
   * @throws Error when it fails, takes too long, or too many wait
   */
  draw(page: PageToDraw): Promise<DrawnPage>;
  /** Starts the thread for a page that is about to be drawn. */
  wake(): void;
  /** Whether it has drawn a page since it was started; the first takes longer. */
  isWarm(): boolean;
  close(): void;
}

interface ThreadOptions {
  /** The address of the module that draws. */
  module: URL;
  publicUrl: string;
  /** After so long without a page to draw, the thread ends, and its memory with it. */
  idleMs?: number;
  /** A page that takes longer has got stuck; the thread ends. */
  stuckMs?: number;
}

interface Question {
  question: number;
  document: DocumentNode;
  variables: Record<string, unknown>;
}

/** What the thread says, about which drawing. */
type Said = { drawing: number } & (Question | { page: DrawnPage } | { error: string });

const IDLE_MS = 60_000;
const STUCK_MS = 10_000;
const MAX_WAITING = 20;
/** The other places are for pages that are kept for everybody. */
const MAX_WAITING_ALONE = 10;
/** A page of a user is as well sent empty with its data, and soon. */
const MAX_WAITING_USERS = 4;
const MAX_HEAP_MB = 192;

/** Draws in a thread, which starts with the first page: drawing never holds up a request, and takes no memory at rest. */
export function makeDrawThread({ module, publicUrl, idleMs = IDLE_MS, stuckMs = STUCK_MS }: ThreadOptions): DrawThread {
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let drawings = 0;
  let isWarm = false;
  let isBusy = false;
  /** Those with a page in hand. */
  const users = new Set<number>();
  let isClosed = false;

  function start(): Worker {
    const started = new Worker(new URL('./draw-thread.mjs', import.meta.url), {
      workerData: { module: module.href, publicUrl },
      // Neither the parent's compiler nor its settings.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    started.unref();
    // Without a listener an error would end the process; the page that is being drawn has its own.
    started.on('error', () => undefined);
    started.once('exit', () => {
      if (worker === started) worker = undefined;
    });
    return started;
  }

  function end(): void {
    clearTimeout(idle);
    void worker?.terminate();
    worker = undefined;
    isWarm = false;
  }

  /** Keeps the thread while it draws, and for a while after that. */
  function wake(): Worker {
    clearTimeout(idle);
    if (!isBusy) idle = setTimeout(end, idleMs).unref();
    worker ??= start();
    return worker;
  }

  async function drawNow({ path, ask, answers, alone }: PageToDraw): Promise<DrawnPage> {
    if (isClosed) throw new Error('the server stops');
    isBusy = true;
    const thread = wake();
    const drawing = ++drawings;
    const over = new AbortController();
    try {
      return await new Promise<DrawnPage>((resolve, reject) => {
        const fail = (cause: Error) => {
          end();
          reject(cause);
        };
        const timer = setTimeout(() => fail(new Error(`not drawn within ${stuckMs} ms`)), stuckMs);
        const onMessage = (said: Said) => {
          if (said.drawing !== drawing) return;
          if ('page' in said) {
            isWarm = true;
            resolve(said.page);
          } else if ('error' in said) reject(new Error(said.error));
          else answer(thread, said, ask, alone);
        };
        const onExit = () => fail(new Error('the thread has ended'));
        thread.on('message', onMessage).once('error', fail).once('exit', onExit);
        over.signal.addEventListener('abort', () => {
          clearTimeout(timer);
          thread.off('message', onMessage).off('error', fail).off('exit', onExit);
        });
        // As the browser gets them.
        thread.postMessage({ drawing, path, answers: answers && JSON.stringify(answers) });
      });
    } finally {
      over.abort();
      isBusy = false;
      clearTimeout(idle);
      idle = setTimeout(end, idleMs).unref();
    }
  }

  return {
    draw(page) {
      const { alone, answers, userId } = page;
      const places = answers ? MAX_WAITING_USERS : alone ? MAX_WAITING_ALONE : MAX_WAITING;
      if (waiting >= places) return Promise.reject(new Error('too many pages wait'));
      if (userId !== undefined && users.has(userId)) return Promise.reject(new Error('another page of the user waits'));
      waiting++;
      if (userId !== undefined) users.add(userId);
      const drawn = last.then(() => {
        alone?.throwIfAborted();
        return drawNow(page);
      });
      const leave = () => {
        waiting--;
        if (userId !== undefined) users.delete(userId);
      };
      last = drawn.then(leave, leave);
      return drawn;
    },
    wake() {
      if (!isClosed) wake();
    },
    isWarm: () => isWarm,
    close() {
      isClosed = true;
      end();
    },
  };
}

/** Answers a question of the thread; with an error when nobody waits for the page, so that its drawing ends. */
function answer(thread: Worker, { question, document, variables }: Question, ask: Ask, alone?: AbortSignal): void {
  const fail = (error: unknown) => thread.postMessage({ question, error: String(error) });
  if (alone?.aborted) {
    fail(alone.reason);
    return;
  }
  const onAbort = () => fail(alone?.reason);
  alone?.addEventListener('abort', onAbort, { once: true });
  const end = () => alone?.removeEventListener('abort', onAbort);
  ask(document, variables)
    // The thread takes the first answer to a question, and no other.
    .then((data) => thread.postMessage({ question, data: JSON.parse(JSON.stringify(data)) }), fail)
    .finally(end);
}
