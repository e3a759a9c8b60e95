/** How a source is doing, in a word. */
export enum SourceState {
  /** New, and not read yet. */
  waiting = 'waiting',
  healthy = 'healthy',
  /** Its last read failed. */
  degraded = 'degraded',
  /** Nothing could be read from it for long. */
  failing = 'failing',
  /** It was ended by an operator or by the settings: it is polled no more. */
  stopped = 'stopped',
}

export interface SourceSigns {
  kind: string;
  everySeconds: number;
  /** null: no poll will come. */
  nextPollAt: Date | null;
  createdAt: Date;
  lastSuccessAt: Date | null;
  lastError: string | null;
}

const SILENT_INTERVALS = 10;
const SILENT_AT_LEAST_MS = 10 * 60_000;

/** The silence of a pushed source says nothing: who pushes decides when. */
export function sourceState(source: SourceSigns, now: Date): SourceState {
  const calm = source.lastSuccessAt ? SourceState.healthy : SourceState.waiting;
  if (source.kind !== 'push') {
    if (!source.nextPollAt) return SourceState.stopped;
    const patienceMs = Math.max(SILENT_INTERVALS * source.everySeconds * 1000, SILENT_AT_LEAST_MS);
    const silentMs = now.getTime() - (source.lastSuccessAt ?? source.createdAt).getTime();
    if (silentMs > patienceMs) return SourceState.failing;
  }
  return source.lastError === null ? calm : SourceState.degraded;
}
