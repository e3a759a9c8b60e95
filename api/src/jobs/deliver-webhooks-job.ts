import { channels } from '../base/channels.ts';
import type { Deliverer } from '../webhooks/deliver/deliverer.ts';
import type { Job } from './job.ts';

/** Sends the webhook messages that are due. */
export const deliverWebhooksJob: Job<{ webhookDeliverer: Deliverer }> = {
  name: 'deliver-webhooks',
  everyMs: 5_000,
  wakeUp: { channel: channels.work, payload: 'deliver' },
  run: ({ webhookDeliverer }) => webhookDeliverer.run(),
};
