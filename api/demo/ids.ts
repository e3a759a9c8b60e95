import type { DemoStream } from './stream.ts';

/** An id contains its stream, so that photos and pages of an earlier run are still served. */
export function demoId(stream: DemoStream, position: number): string {
  return `demo-${[stream.seed, Math.round(stream.perSecond * 1000), position].map((part) => part.toString(36)).join('-')}`;
}

export function readDemoId(id: string): { stream: DemoStream; position: number } | null {
  const [, seed, rate, at] = /^demo-([0-9a-z]{1,7})-([0-9a-z]{1,5})-([0-9a-z]{1,9})$/.exec(id) ?? [];
  if (seed === undefined || rate === undefined || at === undefined) return null;
  const stream = { seed: Number.parseInt(seed, 36), perSecond: Number.parseInt(rate, 36) / 1000 };
  return stream.perSecond > 0 ? { stream, position: Number.parseInt(at, 36) } : null;
}

const SLOWEST = 0.1;

/** A stream with a seed of 32 bits and a rate in thousandths, at least one in ten seconds, as the promise needs. */
export function demoStream(seed: number, perSecond: number): DemoStream {
  return { seed: seed >>> 0, perSecond: Math.max(SLOWEST, Math.round(perSecond * 1000) / 1000) };
}
