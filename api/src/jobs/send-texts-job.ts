import { channels } from '../base/channels.ts';
import type { makeTextSender } from '../notify/texts/send-due-texts.ts';
import type { Texter } from '../vendors/texts/text.ts';
import type { Job } from './job.ts';

interface TextParts {
  texter: Texter | null;
  sendTexts: ReturnType<typeof makeTextSender>;
}

const job = {
  everyMs: 5_000,
  wakeUp: { channel: channels.work, payload: 'send' },
  async run({ sendTexts }: TextParts) {
    const { nextDueInMs } = await sendTexts();
    return { nextInMs: nextDueInMs };
  },
};

/** Sends the texts that are due. */
export const sendTextsJob: Job<TextParts> = { ...job, name: 'send-texts', when: ({ texter }) => texter !== null };

/** Has a name of its own, as a worker that can't send texts must not run in the place of one that can. */
export const dropTextsJob: Job<TextParts> = { ...job, name: 'drop-texts', when: ({ texter }) => texter === null };
