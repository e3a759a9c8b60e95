import { channels } from '../base/channels.ts';
import type { Engine } from '../notify/engine.ts';
import type { Job } from './job.ts';

/** Delivers the mails that are due, among them the notifications by mail. */
export const sendMailsJob: Job<{ emailEngine: Engine }> = {
  name: 'send-notifications',
  everyMs: 5_000,
  wakeUp: { channel: channels.work, payload: 'send' },
  run: ({ emailEngine }) => emailEngine.drain(),
};
