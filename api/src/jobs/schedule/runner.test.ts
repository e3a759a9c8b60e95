import { expect, it } from 'vitest';
import { silentLog } from '../../base/log.ts';
import { makeRunner } from './runner.ts';

const gate = () => {
  let open = () => {};
  const opened = new Promise<void>((settle) => {
    open = settle;
  });
  return { open, opened };
};

it('runs one at a time, and once more for all wake-ups that came meanwhile', async () => {
  let runs = 0;
  let atOnce = 0;
  const first = gate();
  const runner = makeRunner(
    {
      name: 'test',
      everyMs: 1000,
      async run() {
        runs += 1;
        atOnce += 1;
        expect(atOnce).toBe(1);
        if (runs === 1) await first.opened;
        atOnce -= 1;
        return undefined;
      },
    },
    silentLog,
  );
  const waking = [runner.wake(), runner.wake(), runner.wake()];
  first.open();
  await Promise.all(waking);
  expect(runs).toBe(2);
});

it('runs again by itself when its work falls due, and never after stop', async () => {
  let runs = 0;
  const runner = makeRunner(
    {
      name: 'test',
      everyMs: 1000,
      run() {
        runs += 1;
        return Promise.resolve({ nextInMs: runs < 3 ? 5 : null });
      },
    },
    silentLog,
  );
  await runner.wake();
  await expect.poll(() => runs, { timeout: 10_000, interval: 5 }).toBe(3);
  await runner.stop();
  await runner.wake();
  expect(runs).toBe(3);
});

it('goes on after a run that failed', async () => {
  let runs = 0;
  const runner = makeRunner(
    {
      name: 'test',
      everyMs: 1000,
      run() {
        runs += 1;
        return runs === 1 ? Promise.reject(new Error('down')) : Promise.resolve(undefined);
      },
    },
    silentLog,
  );
  await runner.wake();
  await runner.wake();
  expect(runs).toBe(2);
});

it('runs again by itself soon after a run that failed, whatever keeps the schedule', async () => {
  let runs = 0;
  const runner = makeRunner(
    {
      name: 'test',
      everyMs: 60_000,
      run() {
        runs += 1;
        return runs === 1 ? Promise.reject(new Error('down')) : Promise.resolve(undefined);
      },
    },
    silentLog,
  );
  await runner.wake();
  await expect.poll(() => runs, { timeout: 10_000 }).toBe(2);
  await runner.stop();
});
