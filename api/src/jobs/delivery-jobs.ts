import { channels } from '../base/channels.ts';
import type { Pool } from '../base/database.ts';
import { dropOldTexts } from '../notify/channels/sms/sms.ts';
import type { Engine } from '../notify/engine.ts';
import type { Job } from './job.ts';

const schedule = { everyMs: 5_000, wakeUp: { channel: channels.work, payload: 'send' } };

/** Delivers the mails that are due, among them the notifications by mail. */
export const sendMailsJob: Job<{ emailEngine: Engine }> = {
  ...schedule,
  name: 'send-notifications',
  run: ({ emailEngine }) => emailEngine.drain(),
};

interface TextParts {
  pool: Pool;
  /** null where texts are not set up. */
  smsEngine: Engine | null;
}

/** Delivers the texts that are due. */
export const sendTextsJob: Job<TextParts> = {
  ...schedule,
  name: 'send-texts',
  when: ({ smsEngine }) => smsEngine !== null,
  run: async ({ smsEngine }) => smsEngine?.drain(),
};

/** Has a name of its own, as a worker that can't send texts must not run in the place of one that can. */
export const dropTextsJob: Job<TextParts> = {
  ...schedule,
  name: 'drop-texts',
  when: ({ smsEngine }) => smsEngine === null,
  async run({ pool }) {
    await dropOldTexts(pool);
    return undefined;
  },
};

/** Delivers the webhook messages that are due. */
export const deliverWebhooksJob: Job<{ webhookEngine: Engine }> = {
  name: 'deliver-webhooks',
  everyMs: 5_000,
  wakeUp: { channel: channels.work, payload: 'deliver' },
  run: ({ webhookEngine }) => webhookEngine.run(),
};
