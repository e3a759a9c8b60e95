import type { ServerResponse } from 'node:http';
import type { Log } from '../../base/log.ts';
import type { KeyAuthentication } from '../../keys/key-authentication.ts';

/** Twice this is the longest that an answer goes on after its key has ended. */
const LOOK_EVERY_MS = 400;

export interface LongAnswers {
  /** Cuts the answer off when the key ends before it. */
  watch(response: ServerResponse, keyId: number): void;
  close(): void;
}

/** An export may take minutes; most answers are gone before anybody looks. */
export function watchLongAnswers(
  keys: Pick<KeyAuthentication, 'endedOf'>,
  log: Log,
  everyMs = LOOK_EVERY_MS,
): LongAnswers {
  const answers = new Map<ServerResponse, { keyId: number; since: number }>();

  async function look(): Promise<void> {
    const long = [...answers].filter(([, { since }]) => performance.now() - since >= everyMs);
    if (long.length === 0) return;
    const ended = await keys.endedOf([...new Set(long.map(([, { keyId }]) => keyId))]);
    for (const [response, { keyId }] of long) if (ended.has(keyId)) response.destroy();
  }
  const timer = setInterval(
    () => void look().catch((error: unknown) => log.warn('keys of long answers not checked', { error })),
    everyMs,
  );
  timer.unref();

  return {
    watch(response, keyId) {
      answers.set(response, { keyId, since: performance.now() });
      response.once('close', () => answers.delete(response));
    },
    close: () => clearInterval(timer),
  };
}
