import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

const current = new AsyncLocalStorage<string>();

/** The id of the request, operation or job run for which this code runs; null outside of them, as during the start. */
export const currentRequestId = (): string | null => current.getStore() ?? null;

export const newRequestId = (): string => randomUUID();

/** Runs `work` for a request: its log lines, and the messages that it enqueues, get this id. Without one the current id stays. */
export const withRequestId = <T>(id: string | null | undefined, work: () => T): T =>
  id ? current.run(id, work) : work();
