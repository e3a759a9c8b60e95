import type { ChildMessage } from './node-child.ts';

type Environment = Record<string, string | undefined>;

/** Whether the launcher started this process and is connected with it. */
export const isUnderLauncher = (): boolean =>
  process.env.LOTWATCH_LAUNCHER === String(process.ppid) && process.send !== undefined;

/** Waits for the launcher's boot configuration. @returns the environment with it */
export function awaitBootConfiguration(): Promise<Environment> {
  return new Promise((resolve) => {
    process.once('message', (message: { type: string; env: Record<string, string> }) => {
      resolve({ ...process.env, ...message.env });
    });
  });
}

/** Reports that this process is prepared, and waits until it may open its port. */
export async function awaitListen(): Promise<void> {
  if (!isUnderLauncher()) return;
  const permission = new Promise<void>((resolve) => {
    process.once('message', () => resolve());
  });
  await notifyLauncher({ type: 'prepared' });
  return permission;
}

export function notifyLauncher(message: ChildMessage): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected && process.send) process.send(message, undefined, undefined, () => resolve());
    else resolve();
  });
}
