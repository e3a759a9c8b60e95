import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel';

/** What the rooms measure of their work, by event. Times are in seconds. */
interface Measured {
  request: { kind: RequestKind; status: number; seconds: number };
  job: { job: string; seconds: number; isFailed: boolean };
  /** One question to the store of the schedule. */
  jobStore: { store: string; isReached: boolean };
  /** A batch of listings that was matched in one transaction. */
  match: { listings: number; matches: number; seconds: number };
  /** Records of a source that were stored in one transaction. `lags` are the times from listed to seen of new listings. */
  intake: { accepted: number; updated: number; unchanged: number; rejected: number; lags: readonly number[] };
  /** The result of one message. */
  message: { channel: string; result: 'sent' | 'deferred' | 'failed' | 'dropped' | 'unknown' };
}

/** By what a request asks for; its path would be too much. */
export type RequestKind = 'graphql' | 'rest' | 'webhook' | 'page' | 'asset' | 'photo';

type Event = keyof Measured;

const channels = Object.fromEntries(
  (['request', 'job', 'jobStore', 'match', 'intake', 'message'] satisfies Event[]).map((event) => [
    event,
    channel(`lotwatch:${event}`),
  ]),
) as Record<Event, ReturnType<typeof channel>>;

/** Tells those who listen what was measured; while nobody does, it costs nothing. */
export function measured<E extends Event>(event: E, value: Measured[E]): void {
  if (channels[event].hasSubscribers) channels[event].publish(value);
}

/** Listens in this process. @returns a function that stops it */
export function onMeasured<E extends Event>(event: E, listener: (value: Measured[E]) => void): () => void {
  const name = `lotwatch:${event}`;
  const heard = (value: unknown) => listener(value as Measured[E]);
  subscribe(name, heard);
  return () => void unsubscribe(name, heard);
}
