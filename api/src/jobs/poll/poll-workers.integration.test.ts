import { describe, expect, it } from 'vitest';
import { answerJson, cars, pollRig } from '../../../test/reading/poll-rig.ts';
import { ensureSources } from '../../sources/change-sources.ts';
import { untilNextPoll } from '../../sources/claim-source.ts';
import { fetchPage } from '../../vendors/web-fetch.ts';
import { pollSource } from './poll-source.ts';
import { pollDueSources } from './poll-sources-job.ts';

const rig = pollRig();
const { due, poll, settings, source, stored } = rig;

describe('many workers', () => {
  it('read one source once', async () => {
    await ensureSources(rig.db.pool, settings());
    rig.rows = cars(5);
    let running = 0;
    let most = 0;
    rig.script = ({ offset }, response) => {
      running += 1;
      most = Math.max(most, running);
      setTimeout(() => {
        running -= 1;
        answerJson(response, rig.rows.slice(offset));
      }, 50);
      return true;
    };
    const polled = await Promise.all(Array.from({ length: 8 }, () => pollDueSources(rig.deps)));
    expect(polled.reduce((sum, one) => sum + one, 0)).toBe(1);
    expect(most).toBe(1);
    expect(await pollDueSources(rig.deps)).toBe(0);
    expect(await untilNextPoll(rig.db.pool)).toBeGreaterThan(50_000);
  });

  it('leave a source alone that is not due', async () => {
    await ensureSources(rig.db.pool, settings());
    rig.rows = cars(5);
    expect(await pollSource(rig.deps, 'lot')).toBe(true);
    rig.asked = [];
    expect(await pollSource(rig.deps, 'lot')).toBe(false);
    expect(rig.asked).toEqual([]);
  });

  it('do not begin a source again that takes longer than its interval', async () => {
    await ensureSources(rig.db.pool, settings());
    rig.rows = cars(5);
    let finish = () => {};
    const reached = new Promise<void>((settle) => {
      rig.script = ({ offset }, response) => {
        finish = () => answerJson(response, rig.rows.slice(offset));
        settle();
        return true;
      };
    });
    const first = pollSource(rig.deps, 'lot');
    await reached;
    await due();
    expect(await pollSource(rig.deps, 'lot')).toBe(false);
    rig.script = () => false;
    finish();
    expect(await first).toBe(true);
    expect(await stored()).toHaveLength(5);
  });

  it('do not wait for a slow source with the others', async () => {
    await ensureSources(rig.db.pool, [
      ...settings(),
      ...['slow', 'quick'].flatMap((name) => settings({ name, url: rig.url.replace('items', name) })),
    ]);
    rig.rows = cars(5);
    const stop = new AbortController();
    const patient = { ...rig.deps, fetchPage, signal: stop.signal };
    rig.script = ({ message }) => message.url?.startsWith('/slow') ?? false;
    expect(await pollDueSources(patient)).toBe(2);
    await due();
    const start = performance.now();
    await pollDueSources(patient);
    expect((await source()).seconds).toBeGreaterThan(50);
    expect(performance.now() - start).toBeLessThan(10_000);
    stop.abort();
    await expect.poll(() => rig.db.pool.totalCount - rig.db.pool.idleCount).toBe(0);
    const { rows: slow } = await rig.db.pool.query(`select failures from sources where name = 'slow'`);
    expect(slow).toEqual([{ failures: 0 }]);
  });

  it('leave no claim behind, whatever goes wrong', async () => {
    await ensureSources(rig.db.pool, settings());
    await expect(poll({ storeListings: () => Promise.reject(new Error('killed')) })).resolves.toEqual([0]);
    rig.rows = cars(2);
    await expect(poll({ storeListings: () => Promise.reject(new Error('killed')) })).rejects.toThrow('killed');
    expect(await source()).toMatchObject({ failures: 0, last_error: expect.stringMatching(/its log says why/) });
    expect((await rig.db.pool.query('select 1 from sources where claimed_until is not null')).rows).toHaveLength(0);
    await due();
    expect(await pollDueSources(rig.deps)).toBe(1);
    expect(await stored()).toHaveLength(2);
  });
});
