import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { folderOfTest } from '../../../test/set-up.ts';
import { type NodeChild, startNodeChild } from './node-child.ts';
import { CannotRun } from './supervisor.ts';

let folder: string;
beforeEach(() => {
  folder = folderOfTest();
});

function start(code: string, options: Partial<NodeChild> = {}, signal = new AbortController().signal) {
  const file = join(folder, 'child.ts');
  writeFileSync(file, code);
  const lines: string[] = [];
  const env = { PATH: process.env.PATH };
  const running = startNodeChild(
    {
      name: 'child',
      args: ['--import', import.meta.resolve('tsx'), file],
      env,
      onLine: (line) => lines.push(line),
      stopTimeoutMs: 300,
      ...options,
    },
    signal,
  );
  return { running, lines };
}

const READY = "process.send?.({ type: 'ready' }); setInterval(() => {}, 1000);";

describe('a child process', () => {
  it('is running once it has sent ready, and its output is read', async () => {
    const { running, lines } = start(`console.log('one'); console.error('two'); ${READY}`);
    const child = await running;
    expect(lines).toEqual(expect.arrayContaining(['one', 'two']));
    await child.stop();
    expect(await child.ended).toMatch(/^ended by SIGTERM/);
  });

  it('waits for its boot configuration', async () => {
    let give: (orders: Record<string, string>) => void = () => {};
    const orders = new Promise<Record<string, string>>((resolve) => {
      give = resolve;
    });
    const { running, lines } = start(
      `process.once('message', (message) => { console.log(JSON.stringify(message)); ${READY} });`,
      { bootConfiguration: orders },
    );
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(lines).toEqual([]);
    give({ ROLE: 'worker' });
    const child = await running;
    expect(lines).toEqual(['{"type":"boot","env":{"ROLE":"worker"}}']);
    await child.stop();
  });

  describe('with a long start', () => {
    beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
    afterEach(() => vi.useRealTimers());

    it('has no timeout while it waits for the others', async () => {
      const mayListen = Promise.withResolvers<void>();
      const prepared = Promise.withResolvers<void>();
      const { running } = start(
        `process.send?.({ type: 'prepared' }, () => setTimeout(console.log, 100)); process.once('message', () => { ${READY} });`,
        { mayListen: mayListen.promise, onLine: () => prepared.resolve() },
      );
      await prepared.promise;
      vi.advanceTimersByTime(600_000);
      mayListen.resolve();
      await (await running).stop();
    });

    it('has its time again while it says that it waits', async () => {
      const told = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      let count = 0;
      const { running } = start(
        `setTimeout(() => process.send?.({ type: 'waiting' }, () => setTimeout(console.log, 200)), 100); setInterval(() => {}, 1000);`,
        { onLine: () => told[count++]?.resolve() },
      );
      vi.advanceTimersByTime(50_000);
      await told[0]?.promise;
      vi.advanceTimersByTime(50_000);
      const early = await Promise.race([running.catch(() => 'ended'), new Promise((resolve) => setImmediate(resolve))]);
      expect(early).toBeUndefined();
      vi.advanceTimersByTime(11_000);
      await expect(running).rejects.toThrow(/^ended by SIGKILL/);
    });

    it('is killed when it does not become ready in time', async () => {
      const begun = Promise.withResolvers<void>();
      const { running } = start('console.log(); setInterval(() => {}, 1000);', { onLine: () => begun.resolve() });
      await begun.promise;
      vi.advanceTimersByTime(61_000);
      await expect(running).rejects.toThrow(/^ended by SIGKILL/);
    });
  });

  it('reports why it exited before it was ready', async () => {
    const { running } = start("throw new Error('no such table');");
    await expect(running).rejects.toThrow(/^ended with exit code 1: .*Error: no such table/);
  });

  it('reports why it exited later', async () => {
    const { running } = start(
      `${READY} setTimeout(() => { console.error('FATAL: out of luck'); process.exit(3); }, 50);`,
    );
    expect(await (await running).ended).toMatch(/^ended with exit code 3: FATAL: out of luck\n/);
  });

  it('can report that it can’t run', async () => {
    const { running } = start(
      "process.send?.({ type: 'cannot-run', reason: 'the port is taken' }, () => process.exit(1));",
    );
    await expect(running).rejects.toThrow(CannotRun);
  });

  it('is killed when it does not stop in time', async () => {
    const { running } = start(`process.on('SIGTERM', () => {}); ${READY}`);
    const child = await running;
    const began = performance.now();
    await child.stop();
    expect(performance.now() - began).toBeGreaterThan(250);
    expect(await child.ended).toMatch(/^ended by SIGKILL/);
  });

  it('is killed when the start is aborted', async () => {
    const callOff = new AbortController();
    const { running } = start('setInterval(() => {}, 1000);', undefined, callOff.signal);
    setTimeout(() => callOff.abort(), 100);
    await expect(running).rejects.toThrow(/^ended by SIGKILL/);
  });
});
