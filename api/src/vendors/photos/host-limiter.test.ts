import { expect, it } from 'vitest';
import { makeHostLimiter, TooManyCalls } from './host-limiter.ts';

const bounds = { atOnce: 4, perHost: 2, waiting: 10, timeoutMs: 10_000 };

function work() {
  const state = { now: 0, most: 0, begun: [] as string[] };
  const ends: (() => void)[] = [];
  const run = (what: string) => () => {
    state.begun.push(what);
    state.now += 1;
    state.most = Math.max(state.most, state.now);
    return new Promise<string>((resolve) =>
      ends.push(() => {
        state.now -= 1;
        resolve(what);
      }),
    );
  };
  const endOne = async () => {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { state, run, endOne };
}

it('does not delay other hosts for a slow one', async () => {
  const inTurn = makeHostLimiter(bounds);
  const { state, run, endOne } = work();
  const all = ['slow', 'slow', 'slow', 'slow', 'other', 'third', 'other'].map((host, n) =>
    inTurn(host, run(`${host} ${n}`)),
  );
  expect(state.begun).toEqual(['slow 0', 'slow 1', 'other 4', 'third 5']);
  await endOne();
  expect(state.begun.at(-1)).toBe('slow 2');
  for (let n = 0; n < 8; n++) await endOne();
  expect(await Promise.all(all)).toHaveLength(7);
  expect(state.most).toBe(4);
});

it('refuses calls when too many wait, or one waits too long, and continues', async () => {
  const inTurn = makeHostLimiter({ ...bounds, atOnce: 1, waiting: 1, timeoutMs: 30 });
  const { run, endOne } = work();
  const first = inTurn('a', run('first'));
  const second = inTurn('a', run('second'));
  await expect(inTurn('a', run('third'))).rejects.toBeInstanceOf(TooManyCalls);
  await expect(second).rejects.toBeInstanceOf(TooManyCalls);
  await endOne();
  expect(await first).toBe('first');
  await expect(inTurn('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await inTurn('a', () => Promise.resolve('after'))).toBe('after');
});

it('lets hosts take turns, and refuses those of which most wait when too many do', async () => {
  const inTurn = makeHostLimiter({ atOnce: 1, perHost: 1, waiting: 4, timeoutMs: 10_000 });
  const { state, run, endOne } = work();
  const outcome = (what: string) =>
    inTurn(what.split(' ')[0] ?? '', run(what)).catch((error: unknown) => error instanceof TooManyCalls && 'refused');
  const all = ['eager 0', 'eager 1', 'eager 2', 'eager 3', 'eager 4', 'one 0', 'other 0', 'one 1'].map(outcome);
  for (let n = 0; n < 8; n++) await endOne();
  expect(state.begun).toEqual(['eager 0', 'eager 1', 'one 0', 'other 0', 'eager 2']);
  expect(await Promise.all(all)).toEqual([
    ...['eager 0', 'eager 1', 'eager 2', 'refused', 'refused'],
    ...['one 0', 'other 0', 'refused'],
  ]);
});
