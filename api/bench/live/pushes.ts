import { setTimeout as sleep } from 'node:timers/promises';
import type { Tell } from './bare-server.ts';
import { type Group, itemForAll, itemForGroup, MARK } from './cars.ts';

const AGAIN_MS = 50;

/** Hands one car to a server: one for a group of subscribers, or without a group for all. */
export type Push = (mark: number, group: Group | null) => Promise<void>;

/** Through the product's own intake, one item a request. */
export function pushToIntake(url: string, token: string): Push {
  return async (mark, group) => {
    const body = JSON.stringify([group ? itemForGroup(mark, group) : itemForAll(mark)]);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    for (;;) {
      const answer = await fetch(`${url}/api/ingest/bench`, { method: 'POST', headers, body });
      const text = await answer.text();
      if (answer.status === 200 && text.includes('"accepted":1')) return;
      // Too many are under way: the wait counts, since the car was handed over when it was tried first.
      if (answer.status !== 503) throw new Error(`a car was not taken: ${text}`);
      await sleep(AGAIN_MS);
    }
  };
}

/** To the bare server: what the product once sent, with the car's mark. @param sample a message as it came */
export function pushToBare(url: string, sample: string): Push {
  return async (mark, group) => {
    const marked = sample.replaceAll(new RegExp(`${MARK}\\d+`, 'g'), `${MARK}${mark}`);
    const { payload } = JSON.parse(marked) as { payload: { data: Tell['data'] } };
    const tell: Tell = { data: payload.data, to: group ? group.members : null };
    await (await fetch(url, { method: 'POST', body: JSON.stringify(tell) })).text();
  };
}
