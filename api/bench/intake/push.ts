import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '../../src/base/database.ts';
import type { BodyCounts, ItemStream } from './item-stream.ts';
import { INGEST_TOKEN } from './parts.ts';

export const SOURCE = 'bench';
const LOOK_EVERY_MS = 50;

export interface Pushed {
  items: number;
  bodies: number;
  /** From sent to answered, of each body. */
  answersMs: number[];
  /** Bodies whose answer counts otherwise than their sender. */
  miscounted: number;
}

export interface PushOptions {
  url: string;
  stream: ItemStream;
  itemsABody: number;
  /** How many bodies are under way at once. */
  lanes: number;
  /** 0 for as many as are taken. */
  itemsPerSecond: number;
  /** Until when, as of performance.now(); the bodies under way are finished. */
  until: number;
}

/** The counts lead the answer; its hundreds of results need not be read. */
function countsOf(answer: string): BodyCounts {
  const count = (name: string) => Number(new RegExp(`"${name}":(\\d+)`).exec(answer.slice(0, 300))?.[1] ?? -1);
  return {
    accepted: count('accepted'),
    updated: count('updated'),
    unchanged: count('unchanged'),
    rejected: count('rejected'),
  };
}

/** Pushes bodies over HTTP, as a partner does. @throws when one isn't taken */
export async function pushBodies(options: PushOptions): Promise<Pushed> {
  const { url, stream, itemsABody, lanes, itemsPerSecond, until } = options;
  const pushed: Pushed = { items: 0, bodies: 0, answersMs: [], miscounted: 0 };
  const began = performance.now();
  let sent = 0;
  const lane = async () => {
    while (performance.now() < until) {
      const due = itemsPerSecond > 0 ? began + (sent / itemsPerSecond) * 1_000 : 0;
      sent += itemsABody;
      if (due > performance.now()) await sleep(due - performance.now());
      const { text, counts } = stream.next(itemsABody);
      const start = performance.now();
      const response = await fetch(`${url}/api/ingest/${SOURCE}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${INGEST_TOKEN}`, 'content-type': 'application/json' },
        body: text,
      });
      const answer = await response.text();
      if (response.status !== 200) throw new Error(`a push was answered ${response.status}: ${answer.slice(0, 500)}`);
      pushed.answersMs.push(performance.now() - start);
      pushed.items += itemsABody;
      pushed.bodies += 1;
      if (JSON.stringify(countsOf(answer)) !== JSON.stringify(counts)) pushed.miscounted += 1;
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return pushed;
}

/** Settles when no listing waits to be matched. */
export async function untilMatched(pool: Pool): Promise<void> {
  for (;;) {
    const { rows } = await pool.query('select from listings where pending_match limit 1');
    if (rows.length === 0) return;
    await sleep(LOOK_EVERY_MS);
  }
}
