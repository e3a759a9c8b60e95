import { Worker } from 'node:worker_threads';
import type { DocumentNode } from 'graphql';

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

/** Runs an operation of the web app as a visitor. @throws when any field fails */
export type AskAsVisitor = (
  document: DocumentNode,
  variables: Record<string, unknown>,
) => Promise<Record<string, unknown>>;

export interface DrawThread {
  /**
   * Draws a page after those before it.
   * @param alone for a page that only one visitor gets: aborted when the visitor waits no more, so that it is left out
   * @throws Error when it fails, takes too long, or too many wait
   */
  draw(path: string, ask: AskAsVisitor, alone?: AbortSignal): Promise<DrawnPage>;
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

/** What the thread says. */
type Said =
  | { question: number; document: DocumentNode; variables: Record<string, unknown> }
  | { page: DrawnPage }
  | { error: string };

const IDLE_MS = 60_000;
const STUCK_MS = 10_000;
const MAX_WAITING = 20;
/** The other places are for pages that are kept for everybody. */
const MAX_WAITING_ALONE = 10;
const MAX_HEAP_MB = 192;

/** Draws in a thread, which starts with the first page: drawing never holds up a request, and takes no memory at rest. */
export function makeDrawThread({ module, publicUrl, idleMs = IDLE_MS, stuckMs = STUCK_MS }: ThreadOptions): DrawThread {
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
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
  }

  async function drawNow(path: string, ask: AskAsVisitor): Promise<DrawnPage> {
    if (isClosed) throw new Error('the server stops');
    clearTimeout(idle);
    worker ??= start();
    const thread = worker;
    const over = new AbortController();
    try {
      return await new Promise<DrawnPage>((resolve, reject) => {
        const fail = (cause: Error) => {
          end();
          reject(cause);
        };
        const timer = setTimeout(() => fail(new Error(`not drawn within ${stuckMs} ms`)), stuckMs);
        const onMessage = (said: Said) => {
          if ('page' in said) resolve(said.page);
          else if ('error' in said) reject(new Error(said.error));
          else {
            ask(said.document, said.variables).then(
              (data) => thread.postMessage({ question: said.question, data: JSON.parse(JSON.stringify(data)) }),
              (error: unknown) => thread.postMessage({ question: said.question, error: String(error) }),
            );
          }
        };
        const onExit = () => fail(new Error('the thread has ended'));
        thread.on('message', onMessage).once('error', fail).once('exit', onExit);
        over.signal.addEventListener('abort', () => {
          clearTimeout(timer);
          thread.off('message', onMessage).off('error', fail).off('exit', onExit);
        });
        thread.postMessage({ path });
      });
    } finally {
      over.abort();
      idle = setTimeout(end, idleMs).unref();
    }
  }

  return {
    draw(path, ask, alone) {
      if (waiting >= (alone ? MAX_WAITING_ALONE : MAX_WAITING)) return Promise.reject(new Error('too many pages wait'));
      waiting++;
      const drawn = last.then(() => {
        alone?.throwIfAborted();
        return drawNow(path, ask);
      });
      last = drawn.then(
        () => waiting--,
        () => waiting--,
      );
      return drawn;
    },
    close() {
      isClosed = true;
      end();
    },
  };
}
