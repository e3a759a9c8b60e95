import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type EventSink, followMatches } from './follow-matches.ts';

interface Opened {
  after: string | undefined;
  sink: EventSink<string>;
  closed: boolean;
}

const opened: Opened[] = [];
const seen: string[] = [];
let fresh: () => Promise<string | undefined>;

function follow(after?: string) {
  return followMatches<string>({
    after,
    reload: () => fresh(),
    onMatch: (match) => seen.push(match),
    open(from, sink) {
      const entry: Opened = { after: from, sink, closed: false };
      opened.push(entry);
      return () => {
        entry.closed = true;
      };
    },
  });
}

function last(): Opened {
  const entry = opened.at(-1);
  if (!entry) throw new Error('nothing was opened');
  return entry;
}

beforeEach(() => {
  vi.useFakeTimers();
  opened.length = 0;
  seen.length = 0;
});
afterEach(() => {
  vi.useRealTimers();
});

it('starts from the cursor of the page', () => {
  follow('c0');
  expect(last().after).toBe('c0');
});

it('continues from the last cursor after the socket was lost', () => {
  const live = follow('c0');
  const first = last();
  first.sink.next({ cursor: 'c1', match: 'a' });
  first.sink.next({ cursor: 'c2', match: 'b' });
  live.restart();
  expect(first.closed).toBe(true);
  expect(opened.map((entry) => entry.after)).toEqual(['c0', 'c2']);
  expect(seen).toEqual(['a', 'b']);
});

it('ignores late events of an ended subscription', () => {
  const live = follow('c0');
  const first = last();
  live.restart();
  first.sink.next({ cursor: 'c1', match: 'a' });
  first.sink.fail(false);
  vi.advanceTimersByTime(60_000);
  expect(seen).toEqual([]);
  expect(opened).toHaveLength(2);
});

it('retries with increasing delays, and quickly again after a match', () => {
  follow('c0');
  for (const waitMs of [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]) {
    const before = opened.length;
    last().sink.fail(false);
    vi.advanceTimersByTime(waitMs - 1);
    expect(opened).toHaveLength(before);
    vi.advanceTimersByTime(1);
    expect(opened).toHaveLength(before + 1);
  }
  last().sink.next({ cursor: 'c9', match: 'z' });
  last().sink.fail(false);
  vi.advanceTimersByTime(1000);
  expect(last().after).toBe('c9');
});

it('continues from the cursor of the reloaded data when its own is refused', async () => {
  fresh = () => Promise.resolve('fresh');
  follow('of another database');
  last().sink.fail(true);
  await vi.advanceTimersByTimeAsync(1000);
  expect(opened.map(({ after }) => after)).toEqual(['of another database', 'fresh']);
});

it('reloads again when the first reload failed', async () => {
  fresh = () => Promise.reject(new Error('away'));
  follow('of another database');
  last().sink.fail(true);
  await vi.advanceTimersByTimeAsync(1000);
  fresh = () => Promise.resolve('fresh');
  last().sink.fail(true);
  await vi.advanceTimersByTimeAsync(2000);
  expect(last().after).toBe('fresh');
});

it('does not start again if it was stopped while it reloaded', async () => {
  fresh = () => Promise.resolve('fresh');
  const live = follow('of another database');
  last().sink.fail(true);
  vi.advanceTimersByTime(1000);
  live.stop();
  await vi.advanceTimersByTimeAsync(1000);
  expect(opened).toHaveLength(1);
});

it('does nothing once stopped', () => {
  const live = follow('c0');
  last().sink.fail(false);
  live.stop();
  vi.advanceTimersByTime(60_000);
  expect(opened).toHaveLength(1);
  expect(last().closed).toBe(true);
});
