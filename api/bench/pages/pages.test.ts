import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { weighInlineScripts } from './opened.ts';
import { missedBy } from './pages.ts';
import { inpOf, interactionsOf } from './presses.ts';
import { readMainThread, type TraceEvent } from './trace.ts';

/** An event of a thread; times in milliseconds. */
function event(name: string, at: number, ms: number, { thread = 1, cpu = ms } = {}): TraceEvent {
  return { name, ph: 'X', pid: thread, tid: 1, ts: at * 1000, dur: ms * 1000, tdur: cpu * 1000 };
}

const mainThread = (thread: number): TraceEvent => ({
  name: 'thread_name',
  ph: 'M',
  pid: thread,
  tid: 1,
  ts: 0,
  args: { name: 'CrRendererMain' },
});

test('reads the processor time of the busiest main thread, by what it did', () => {
  const { by, ...times } = readMainThread([
    mainThread(1),
    mainThread(2),
    // Of another page, and of a thread that is no main thread.
    event('RunTask', 0, 5, { thread: 2 }),
    event('RunTask', 0, 900, { thread: 3 }),
    // A task that waited for the processor half of its time.
    event('RunTask', 0, 80, { cpu: 40 }),
    event('FunctionCall', 10, 60, { cpu: 30 }),
    event('UpdateLayoutTree', 20, 12, { cpu: 6 }),
    event('Layout', 32, 8, { cpu: 4 }),
    event('MinorGC', 50, 2, { cpu: 1 }),
    event('RunTask', 100, 10),
    event('ParseHTML', 101, 8),
    event('EvaluateScript', 102, 5),
    event('v8.compile', 102, 3),
    // Counts to what is around it.
    event('SomethingElse', 105, 1),
    // Outside of a task.
    event('FunctionCall', 120, 50),
  ]);
  expect(times).toEqual({ taskMs: 50, longestMs: 40, longMs: [40] });
  expect(by).toEqual({
    script: 19 + 2,
    compile: 3,
    style: 6,
    layout: 4,
    paint: 0,
    parse: 3,
    garbage: 1,
    other: 10 + 2,
  });
});

test('refuses a trace in which no page did anything', () => {
  expect(() => readMainThread([mainThread(1), event('RunTask', 0, 5, { thread: 2 })])).toThrow('no task of a renderer');
});

test('takes the longest event of each interaction, and leaves one in fifty out', () => {
  const timed = (id: number, ms: number) => ({ id, what: `press ${id}`, ms, delayMs: 0, workMs: 0, drawMs: ms });
  const slowest = interactionsOf([timed(1, 24), timed(1, 40), timed(2, 320), timed(3, 80), timed(3, 16)]);
  expect(slowest.map(({ what, ms }) => [what, ms])).toEqual([
    ['press 2', 320],
    ['press 3', 80],
    ['press 1', 40],
  ]);
  expect([1, 49, 50, 100, 5000].map((count) => inpOf(slowest, count))).toEqual([320, 320, 80, 40, 40]);
  expect(inpOf([], 0)).toBe(0);
});

test('weighs the scripts that stand in a page, and no data', () => {
  const scripts = ['var theme = "dark"', 'import("/assets/index.js")'];
  const html = `<script>${scripts[0]}</script><script type="module">${scripts[1]}</script>
    <script src="/assets/a.js"></script><script type="application/json">{"much":"data"}</script>`;
  expect(weighInlineScripts(html)).toBe(gzipSync(scripts.join('\n')).length);
  expect(weighInlineScripts('<p>text</p>')).toBe(0);
});

test('names each bound that a page misses', () => {
  const landing = { taskMs: 150, longestMs: 30, script: 120_000 };
  expect(missedBy({ landing, dashboard: { taskMs: 180, longestMs: 30, script: 230_000 } })).toEqual([]);
  expect(missedBy({ landing: { taskMs: 151, longestMs: 31, script: 120_001 } })).toEqual([
    'landing: tasks of 151 ms, not 150',
    'landing: a task of 31 ms, not 30',
    'landing: 120001 bytes of scripts, not 120000',
    'dashboard was not measured',
  ]);
});
