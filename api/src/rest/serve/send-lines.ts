import { once } from 'node:events';
import type { Response } from 'express';

interface Page {
  /** A list: each of it is a line. */
  answer: unknown;
  /** Cursor of the page that follows. */
  next: string | null;
}

/**
 * Sends pages as lines of JSON, as fast as the caller takes them. What fails after the first page cuts the answer off
 * after a whole line, so that the caller can go on from there.
 */
export async function sendLines(
  response: Response,
  first: Page,
  read: (after: string) => Promise<Page>,
): Promise<void> {
  response.status(200).type('application/x-ndjson');
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  for (let page = first; ; ) {
    const lines = (page.answer as unknown[]).map((line) => `${JSON.stringify(line)}\n`).join('');
    const isTaken = response.write(lines);
    if (!isTaken) await once(response, 'drain', { signal: gone.signal }).catch(() => {});
    if (page.next === null || gone.signal.aborted) break;
    page = await read(page.next);
  }
  response.end();
}
