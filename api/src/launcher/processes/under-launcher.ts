import type { ChildMessage } from './node-child.ts';

type Environment = Record<string, string | undefined>;

/** True in a process that the launcher started and talks to. */
export const isUnderLauncher = (): boolean =>
  process.env.LOTWATCH_LAUNCHER === String(process.ppid) && process.send !== undefined;

/** Waits for the launcher's word to begin. @returns the environment with what the launcher adds to it */
export function awaitBootConfiguration(): Promise<Environment> {
  return new Promise((resolve) => {
    process.once('message', (message: { type: string; env: Record<string, string> }) => {
      resolve({ ...process.env, ...message.env });
    });
  });
}

/** Says that only the port is left to open, and waits until everything else is ready too. */
export async function awaitListen(): Promise<void> {
  if (!isUnderLauncher()) return;
  const word = new Promise<void>((resolve) => {
    process.once('message', () => resolve());
  });
  await notifyLauncher({ type: 'prepared' });
  return word;
}

export function notifyLauncher(message: ChildMessage): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected && process.send) process.send(message, undefined, undefined, () => resolve());
    else resolve();
  });
}
