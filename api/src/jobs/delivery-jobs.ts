import { channels } from '../base/channels.ts';
import type { Pool } from '../base/database.ts';
import { type ChannelName, channelList } from '../entities/delivery-channels.ts';
import { dropOldTexts } from '../notify/channels/sms/sms.ts';
import type { Engine } from '../notify/engine.ts';
import type { Job } from './job.ts';

interface DeliveryParts {
  pool: Pool;
  /** null for a channel that is not set up. */
  engines: Readonly<Record<ChannelName, Engine | null>>;
}

const everyMs = 5_000;

/** The job of each channel delivers what is due. */
const channelJobs = channelList.map(
  ({ name, job, wakeUp, isInBackground }): Job<DeliveryParts> => ({
    name: job,
    everyMs,
    wakeUp: { channel: channels.work, payload: wakeUp },
    when: ({ engines }) => engines[name] !== null,
    run: async ({ engines }) => (isInBackground ? engines[name]?.run() : engines[name]?.drain()),
  }),
);

/** Has a name of its own, as a worker that can't send texts must not run in the place of one that can. */
const dropTextsJob: Job<DeliveryParts> = {
  name: 'drop-texts',
  everyMs,
  wakeUp: { channel: channels.work, payload: 'send' },
  when: ({ engines }) => engines.sms === null,
  async run({ pool }) {
    await dropOldTexts(pool);
    return undefined;
  },
};

export const deliveryJobs: readonly Job<DeliveryParts>[] = [...channelJobs, dropTextsJob];
