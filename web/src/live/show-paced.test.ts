import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { showPaced } from './show-paced.ts';

const shown: string[][] = [];
let now = 0;
let tookMs = 0;

const start = () =>
  showPaced<string>((items) => {
    shown.push(items);
    now += tookMs;
  });

/** Lets the time pass, for timers and for what reads the clock. */
function pass(ms: number): void {
  for (let step = 0; step < ms; step += 1) {
    now += 1;
    vi.advanceTimersByTime(1);
  }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  shown.length = 0;
  tookMs = 0;
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('shows the first at once, and what follows together', () => {
  const paced = start();
  paced.add('a');
  expect(shown).toEqual([['a']]);
  for (const item of ['b', 'c', 'd']) {
    pass(100);
    paced.add(item);
  }
  expect(shown).toEqual([['a']]);
  pass(250);
  expect(shown).toEqual([['a'], ['b', 'c', 'd']]);
  pass(5_000);
  paced.add('e');
  expect(shown.at(-1)).toEqual(['e']);
});

it('takes at most a quarter of the time, and lets nothing wait for more than two seconds', () => {
  const paced = start();
  tookMs = 300;
  paced.add('a');
  paced.add('b');
  pass(850);
  expect(shown).toEqual([['a']]);
  pass(100);
  expect(shown).toEqual([['a'], ['b']]);
  tookMs = 3_000;
  pass(1_200);
  paced.add('c');
  expect(shown.at(-1)).toEqual(['c']);
  paced.add('d');
  pass(10);
  expect(shown.at(-1)).toEqual(['d']);
});

it('lets the answer to a press come first, but not for ever', () => {
  const page = new EventTarget();
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
  const paced = start();
  page.dispatchEvent(new Event('keydown'));
  paced.add('a');
  pass(100);
  expect(shown).toEqual([]);
  pass(100);
  expect(shown).toEqual([['a']]);
  pass(3_000);
  page.dispatchEvent(new Event('keydown'));
  paced.add('b');
  for (let at = 0; at < 20; at += 1) {
    pass(100);
    page.dispatchEvent(new Event('keydown'));
  }
  expect(shown).toEqual([['a'], ['b']]);
});

it('shows what waits when it is told to, and nothing once stopped', () => {
  const paced = start();
  paced.add('a');
  paced.add('b');
  paced.showNow();
  expect(shown).toEqual([['a'], ['b']]);
  pass(5_000);
  expect(shown).toHaveLength(2);
  paced.add('c');
  paced.add('d');
  paced.stop();
  pass(5_000);
  expect(shown.at(-1)).toEqual(['c']);
});
