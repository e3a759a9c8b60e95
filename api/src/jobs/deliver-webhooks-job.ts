import { channels } from '../base/channels.ts';
import type { Engine } from '../notify/engine.ts';
import type { Job } from './job.ts';

/** Delivers the webhook messages that are due. */
export const deliverWebhooksJob: Job<{ webhookEngine: Engine }> = {
  name: 'deliver-webhooks',
  everyMs: 5_000,
  wakeUp: { channel: channels.work, payload: 'deliver' },
  run: ({ webhookEngine }) => webhookEngine.run(),
};
