import { channel } from 'node:diagnostics_channel';

/** A piece of work whose time a trace shows. Nothing in it may be personal: it leaves for another service. */
export interface Work {
  /** One of few, such as the name of a statement or of a job. */
  name: string;
  /** What OpenTelemetry calls its kind; without one it is internal. */
  kind?: 'server' | 'client' | 'consumer' | 'producer';
  attributes: Record<string, string | number | boolean>;
  /** Who asked for it, where that is another process with a trace: its header `traceparent`. */
  caller?: string;
  /** It says nothing alone, so that it is shown within other work only. */
  isPart?: true;
  /** How it failed: a code or the name of an error, never its message, which may quote what somebody wrote. */
  failure?: string;
}

/** Who traces binds the context of the work to the first, in which it runs. */
export const workBegins = channel('lotwatch:work-begins');
export const workEnds = channel('lotwatch:work-ends');

export function failureOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

/** Runs a piece of work. While nobody traces, that is all. */
export function traced<T>(work: Work, run: () => Promise<T>): Promise<T> {
  if (!workBegins.hasSubscribers) return run();
  return workBegins.runStores(work, async () => {
    try {
      return await run();
    } catch (error) {
      work.failure = failureOf(error);
      throw error;
    } finally {
      workEnds.publish(work);
    }
  });
}

/** Begins a piece of work that ends by an event. @returns what to call then */
export function beginTraced(work: Work, begin: () => void): () => void {
  if (!workBegins.hasSubscribers) {
    begin();
    return () => {};
  }
  workBegins.runStores(work, begin);
  return () => workEnds.publish(work);
}
