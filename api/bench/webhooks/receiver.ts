import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface Receiver {
  url: string;
  /** Since it was asked last. */
  taken(): Promise<{ posts: number; ids: number }>;
  close(): void;
}

export async function startReceiver(): Promise<Receiver> {
  const child = fork(fileURLToPath(new URL('./receiver-child.ts', import.meta.url)), { execArgv: ['--import', 'tsx'] });
  const [port] = (await once(child, 'message')) as [number];
  return {
    url: `http://127.0.0.1:${port}/`,
    async taken() {
      const answer = once(child, 'message');
      child.send('taken');
      const [taken] = (await answer) as [{ posts: number; ids: number }];
      return taken;
    },
    close: () => child.disconnect(),
  };
}
