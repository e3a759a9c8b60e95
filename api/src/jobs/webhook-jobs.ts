import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '../base/database.ts';
import { type DelivererParts, makeDeliverer } from '../webhooks/deliver/deliverer.ts';
import { makeEventMaker } from '../webhooks/events/event-maker.ts';
import type { Job } from './schedule/runner.ts';

/** A burst of matches is read in steps of so long: they then share what each reading costs. */
const GATHER_MS = 200;
/** A match whose transaction ends late is not told of by NOTIFY: it is looked for this soon. */
const LOOK_AGAIN_MS = 1_000;

/** Anyone to make events for? */
async function isWaitedFor(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ any: boolean }>('select exists (select from webhooks) as any');
  return rows[0]?.any ?? false;
}

export interface WebhookJobs {
  events: Job;
  deliver: Job;
  /** Takes what NOTIFY tells of matches; after a break it may have told of more. */
  hear(payload: string): void;
  startAnew(): void;
  /** Settles when no message is under way. */
  idle(): Promise<void>;
}

/** Makes events of what happened, and tells webhooks of them; woken by matches and by new messages. */
export function webhookJobs(parts: DelivererParts): WebhookJobs {
  const { pool, signal, log } = parts;
  const deliverer = makeDeliverer(parts);
  const maker = makeEventMaker(pool, { log });
  return {
    events: {
      name: 'webhook-events',
      everyMs: 5_000,
      async run() {
        if (!(await isWaitedFor(pool))) {
          maker.startAnew();
          return undefined;
        }
        while (!signal.aborted && (await maker.round()));
        await sleep(GATHER_MS, undefined, { signal }).catch(() => {});
        return { nextInMs: LOOK_AGAIN_MS };
      },
    },
    deliver: { name: 'deliver-webhooks', everyMs: 5_000, run: () => deliverer.run() },
    hear: (payload) => maker.hear(payload),
    startAnew: () => maker.startAnew(),
    idle: () => deliverer.idle(),
  };
}
