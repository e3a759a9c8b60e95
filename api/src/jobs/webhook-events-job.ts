import { setTimeout as sleep } from 'node:timers/promises';
import { channels } from '../base/channels.ts';
import type { Pool } from '../base/database.ts';
import { type EventMaker, hasWebhooks } from '../webhooks/events/event-maker.ts';
import type { Job } from './job.ts';

/** Matches that come within this time of each other are read together, so that they share the cost of a reading. */
const BATCH_MS = 200;
/** No NOTIFY announces a match whose transaction commits late, so the job checks for such matches after this long. */
const LATE_MATCHES_MS = 1_000;

/** Makes the events that webhooks receive, from matches, price drops and alerts that end. */
export const webhookEventsJob: Job<{ pool: Pool; eventMaker: EventMaker; signal: AbortSignal }> = {
  name: 'webhook-events',
  everyMs: 5_000,
  wakeUp: { channel: channels.matches },
  async run({ pool, eventMaker, signal }) {
    if (!(await hasWebhooks(pool))) {
      eventMaker.restart();
      return undefined;
    }
    while (!signal.aborted && (await eventMaker.round()));
    await sleep(BATCH_MS, undefined, { signal }).catch(() => {});
    return { nextInMs: LATE_MATCHES_MS };
  },
};
