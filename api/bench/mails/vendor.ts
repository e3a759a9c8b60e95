import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

interface Vendor {
  url: string;
  /** The ids of the mails taken since it was asked last, doubles included. */
  takeIds(): Promise<string[]>;
  close(): void;
}

/** Starts a SendGrid of this machine in a process of its own. @param answerMs how long each of its answers takes */
export async function startVendor(apiKey: string, answerMs: number): Promise<Vendor> {
  const child = fork(fileURLToPath(new URL('./vendor-child.ts', import.meta.url)), [apiKey, String(answerMs)], {
    execArgv: ['--import', 'tsx'],
  });
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  return {
    url,
    async takeIds() {
      const answer = once(child, 'message');
      child.send('ids');
      const [{ ids }] = (await answer) as [{ ids: string[] }];
      return ids;
    },
    close: () => child.disconnect(),
  };
}
