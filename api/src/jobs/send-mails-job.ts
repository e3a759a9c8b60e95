import { channels } from '../base/channels.ts';
import type { makeMailSender } from '../notify/send-due-mails.ts';
import type { Job } from './job.ts';

/** Sends the mails and the notifications by mail that are due. */
export const sendMailsJob: Job<{ sendMails: ReturnType<typeof makeMailSender> }> = {
  name: 'send-notifications',
  everyMs: 5_000,
  wakeUp: { channel: channels.work, payload: 'send' },
  async run({ sendMails }) {
    const { nextDueInMs } = await sendMails();
    return { nextInMs: nextDueInMs };
  },
};
