import { describe, expect, it } from 'vitest';
import { CannotRun, type Running, supervise } from './supervisor.ts';

/** A part whose exits the test controls. */
function fakePart() {
  const lives: { die(reason: string): void }[] = [];
  let stops = 0;
  const start = async (): Promise<Running> => {
    let end: (reason: string) => void = () => {};
    const ended = new Promise<string>((resolve) => {
      end = resolve;
    });
    lives.push({ die: end });
    return {
      ended,
      stop: async () => {
        stops += 1;
        end('stopped');
      },
    };
  };
  return { lives, start, stops: () => stops };
}

const until = async (condition: () => boolean): Promise<void> => {
  for (let turn = 0; !condition(); turn += 1) {
    if (turn > 500) throw new Error('it never came to be');
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
};

function watch(start: (signal: AbortSignal) => Promise<Running>, now: () => number = () => 0) {
  const reported = { deaths: [] as string[], back: 0, gaveUp: [] as string[] };
  const part = supervise({
    name: 'worker',
    start,
    now,
    delaysMs: [0],
    onExit: (reason) => reported.deaths.push(reason),
    onRestarted: () => {
      reported.back += 1;
    },
    onGivingUp: (reason) => reported.gaveUp.push(reason),
  });
  return { part, reported };
}

describe('a supervised part', () => {
  it('is restarted after each exit, which is reported', async () => {
    const { lives, start } = fakePart();
    const { part, reported } = watch(start);
    await part.ready;
    for (let death = 1; death <= 4; death += 1) {
      lives.at(-1)?.die(`death ${death}`);
      await until(() => lives.length === death + 1);
    }
    expect(reported).toEqual({ deaths: ['death 1', 'death 2', 'death 3', 'death 4'], back: 4, gaveUp: [] });
    await part.stop();
  });

  it('is given up at the fifth exit within a minute, with the last reason', async () => {
    const { lives, start } = fakePart();
    const { reported } = watch(start);
    for (let death = 1; death <= 5; death += 1) {
      await until(() => lives.length === death);
      lives.at(-1)?.die(`death ${death}`);
    }
    await until(() => reported.gaveUp.length === 1);
    expect(reported.gaveUp[0]).toBe('worker ended 5 times within a minute. The last time: death 5');
    expect(lives).toHaveLength(5);
  });

  it('is always restarted when its exits are further apart', async () => {
    let clock = 0;
    const { lives, start } = fakePart();
    const { part, reported } = watch(start, () => clock);
    for (let death = 1; death <= 12; death += 1) {
      await until(() => lives.length === death);
      clock += 16_000;
      lives.at(-1)?.die('tired');
    }
    await until(() => lives.length === 13);
    expect(reported.gaveUp).toEqual([]);
    await part.stop();
  });

  it('counts a failed start as an exit', async () => {
    let attempts = 0;
    const { reported } = watch(() => {
      attempts += 1;
      return Promise.reject(new Error(`no ${attempts}`));
    });
    await until(() => reported.gaveUp.length === 1);
    expect(attempts).toBe(5);
    expect(reported.gaveUp[0]).toContain('no 5');
  });

  it('is given up at once when it reports that it can’t run', async () => {
    const { reported } = watch(() => Promise.reject(new CannotRun('the port is taken')));
    await until(() => reported.gaveUp.length === 1);
    expect(reported).toEqual({ deaths: [], back: 0, gaveUp: ['the port is taken'] });
  });

  it('is not restarted after a stop', async () => {
    const { lives, start, stops } = fakePart();
    const { part, reported } = watch(start);
    await part.ready;
    await part.stop();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect({ lives: lives.length, stops: stops() > 0, reported }).toEqual({
      lives: 1,
      stops: true,
      reported: { deaths: [], back: 0, gaveUp: [] },
    });
  });

  it('is stopped during its start', async () => {
    const { start, stops } = fakePart();
    const { part } = watch(async () => {
      await new Promise((resolve) => setTimeout(resolve, 30));
      return start();
    });
    await part.stop();
    expect(stops()).toBe(1);
  });
});
