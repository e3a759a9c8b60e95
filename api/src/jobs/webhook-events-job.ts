import { setTimeout as sleep } from 'node:timers/promises';
import { channels } from '../base/channels.ts';
import type { Pool } from '../base/database.ts';
import type { EventMaker } from '../webhooks/events/event-maker.ts';
import type { Job } from './job.ts';

/** Matches that come within this time of each other are read together, so that they share the cost of a reading. */
const BATCH_MS = 200;
/** No NOTIFY tells of a match whose transaction ends late, so the job looks for such matches this soon. */
const LATE_MATCHES_MS = 1_000;

/** Whether there is any webhook to make events for. */
async function hasWebhooks(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ any: boolean }>('select exists (select from webhooks) as any');
  return rows[0]?.any ?? false;
}

/** Makes the events of which webhooks are told from matches, price drops and alerts that end. */
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
