import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answerJson, cars, pollRig } from '../../../test/reading/poll-rig.ts';
import { makePool } from '../../base/database.ts';
import { retireAbsent } from '../../intake/retire-listings.ts';
import { storeListings } from '../../intake/store-listings.ts';
import { followChosenLayout } from '../../placement/follow-layout.ts';
import { ensureSources } from '../../sources/change-sources.ts';
import { dueSources, LeaseLost, untilNextPoll } from '../../sources/claim-source.ts';
import { fetchPage } from '../../vendors/web-fetch.ts';
import { type PollDeps, pollSource } from './poll-sources-job.ts';

const rig = pollRig();
const { source, stored } = rig;

/** Holds back whoever waits for it until it is opened. */
function makeLatch() {
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const wait = () => {
    reach();
    return opened;
  };
  return { reached, wait, open };
}

/** Holds back the next answer to a request for `offset`. The answer has the rows of the time of the request. */
function holdAnswer(offset: number) {
  const latch = makeLatch();
  rig.script = (request, response) => {
    if (request.offset !== offset) return false;
    rig.script = () => false;
    const rows = rig.rows.slice(offset, offset + request.limit);
    void latch.wait().then(() => answerJson(response, rows));
    return true;
  };
  return latch;
}

const priced = (price: number) => cars(15).map((row) => ({ ...row, price }));
const prices = async () => [...new Set((await stored()).map(({ price }) => price))].sort();
/** Ends the lease, as if the worker had been stopped for longer than it lasts. */
const expire = () => rig.db.pool.query("update sources set claimed_until = now() - interval '1 s'");
/** The parts of a worker that does not renew its lease within the test. */
const withoutRenewal = (): PollDeps => ({
  ...rig.deps,
  leaseMs: 120_000,
  fetchPage: (page) => fetchPage({ ...page, timeoutMs: 60_000 }),
});
const token = async (): Promise<unknown> => (await rig.db.row('select claim_token from sources'))?.claim_token;
const outcome = (read: Promise<boolean>) => read.then(String, (error: unknown) => error);

describe('a source', () => {
  it.each(['newest-first', 'append'] as const)(
    'of order %s is taken over from a stopped worker, which then stores nothing and moves no cursor',
    async (order) => {
      await ensureSources(rig.db.pool, rig.settings({ order }));
      rig.rows = priced(5_000);
      const answer = holdAnswer(10);
      const first = outcome(pollSource(withoutRenewal(), 'lot'));
      await answer.reached;
      expect(await dueSources(rig.db.pool)).toEqual([]);
      expect(await pollSource(rig.deps, 'lot')).toBe(false);

      await expire();
      expect(await dueSources(rig.db.pool)).toEqual(['lot']);
      await rig.db.pool.query("update sources set cursor = '{}'");
      rig.rows = priced(7_000);
      expect(await pollSource(rig.deps, 'lot')).toBe(true);
      const { seconds: _, ...before } = await source();
      answer.open();
      expect(await first).toBeInstanceOf(LeaseLost);
      expect(await source()).toMatchObject(before);
      expect(await prices()).toEqual([7_000]);
    },
  );

  it('is lost by a stopped worker whose claim a restore of the server has removed', async () => {
    await ensureSources(rig.db.pool, rig.settings());
    const before = await token();
    rig.rows = priced(5_000);
    const answer = holdAnswer(10);
    const first = outcome(pollSource(withoutRenewal(), 'lot'));
    await answer.reached;
    await rig.db.pool.query(
      "update sources set claim_token = $1, claimed_until = null, next_poll_at = now(), cursor = '{}'",
      [before],
    );
    rig.rows = priced(7_000);
    expect(await pollSource(rig.deps, 'lot')).toBe(true);
    answer.open();
    expect(await first).toBeInstanceOf(LeaseLost);
    expect(await prices()).toEqual([7_000]);
  });

  it('is not taken over from a running worker whose read takes longer than the lease', async () => {
    await ensureSources(rig.db.pool, rig.settings());
    rig.rows = cars(5);
    const answer = holdAnswer(0);
    const first = pollSource({ ...withoutRenewal(), leaseMs: 600 }, 'lot');
    await answer.reached;
    const row = await rig.db.row('select claimed_until from sources');
    await expect.poll(async () => (await rig.db.row('select now() > $1 as over', [row.claimed_until])).over).toBe(true);
    expect(await pollSource(rig.deps, 'lot')).toBe(false);
    answer.open();
    expect(await first).toBe(true);
    expect(await stored()).toHaveLength(5);
    expect((await rig.db.pool.query('select 1 from sources where claimed_until is not null')).rowCount).toBe(0);
  });

  it('is due as soon as the claim of a dead worker expires, whatever its interval', async () => {
    await ensureSources(rig.db.pool, rig.settings({ everySeconds: 3_600 }));
    await rig.db.pool.query(
      "update sources set next_poll_at = now() + interval '1 hour', claimed_until = now() + interval '3 s'",
    );
    expect(await untilNextPoll(rig.db.pool)).toBeLessThan(3_100);
    expect(await dueSources(rig.db.pool)).toEqual([]);
    await expire();
    expect(await dueSources(rig.db.pool)).toEqual(['lot']);
    await rig.db.pool.query("update sources set next_poll_at = 'infinity'");
    expect(await dueSources(rig.db.pool)).toEqual([]);
  });

  it('can be claimed at once when its worker is shut down', async () => {
    await ensureSources(rig.db.pool, rig.settings());
    const stop = new AbortController();
    const answer = holdAnswer(0);
    const first = outcome(pollSource({ ...withoutRenewal(), signal: stop.signal }, 'lot'));
    await answer.reached;
    stop.abort();
    await first;
    expect(await dueSources(rig.db.pool)).toEqual(['lot']);
    expect(await source()).toMatchObject({ failures: 0, last_error: null });
  });

  it('is not claimed while one of its batches is about to be committed', async () => {
    await ensureSources(rig.db.pool, rig.settings());
    rig.rows = priced(5_000).slice(0, 5);
    const latch = makeLatch();
    let claimed: unknown;
    const { promise: isRead, resolve: finishRead } = Promise.withResolvers<void>();
    const slow: PollDeps['storeListings'] = async (pool, name, records, options) => {
      const result = await storeListings(pool, name, records, {
        ...options,
        async beforeCommit(db) {
          await expire();
          await options.beforeCommit?.(db);
          claimed = await token();
          await latch.wait();
        },
      });
      await isRead;
      return result;
    };
    const first = outcome(pollSource({ ...withoutRenewal(), storeListings: slow }, 'lot'));
    await latch.reached;
    rig.rows = priced(7_000).slice(0, 5);
    const second = pollSource(rig.deps, 'lot');
    await expect.poll(() => rig.db.lockWaits()).toBeGreaterThan(0);
    expect(await token()).toBe(claimed);
    latch.open();
    expect(await second).toBe(true);
    finishRead();
    expect(await first).toBeInstanceOf(LeaseLost);
    expect(await prices()).toEqual([7_000]);
  });

  it('is taken over from a worker that was stopped in the middle of a batch', async () => {
    await ensureSources(rig.db.pool, rig.settings());
    rig.rows = priced(5_000).slice(0, 5);
    const latch = makeLatch();
    const slow: PollDeps['storeListings'] = (pool, name, records, options) =>
      storeListings(pool, name, records, {
        ...options,
        async beforeCommit(db) {
          await db.query('set local idle_in_transaction_session_timeout = 300');
          await latch.wait();
          await options.beforeCommit?.(db);
        },
      });
    const pool = makePool(rig.db.url, 2);
    followChosenLayout(pool);
    const first = outcome(pollSource({ ...withoutRenewal(), pool, storeListings: slow }, 'lot'));
    await latch.reached;
    await expire();
    rig.rows = priced(7_000).slice(0, 5);
    expect(await pollSource(rig.deps, 'lot')).toBe(true);
    latch.open();
    expect(await first).toBeInstanceOf(Error);
    expect(await prices()).toEqual([7_000]);
    expect(await source()).toMatchObject({ failures: 0, last_error: null });
    await pool.end();
  });

  it('loses no car of a feed when a stopped worker resumes with an old page', async () => {
    await ensureSources(rig.db.pool, rig.settings({ kind: 'vehicle-feed' }));
    const feed = (ids: string[]) =>
      [
        'vehicle_id,title,make,model,year,price',
        ...ids.map((id) => `${id},2015 Toyota Camry,Toyota,Camry,2015,9000 USD`),
        '',
      ].join('\n');
    let shown = ['a', 'b'];
    rig.script = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/csv' }).end(feed(shown));
      return true;
    };
    await rig.poll();
    shown = ['a'];
    const latch = makeLatch();
    const slow: PollDeps['retireAbsent'] = async (...given) => {
      await latch.wait();
      return retireAbsent(...given);
    };
    await rig.due();
    const first = outcome(pollSource({ ...withoutRenewal(), retireAbsent: slow }, 'lot'));
    await latch.reached;
    await expire();
    shown = ['a', 'b'];
    expect(await pollSource(rig.deps, 'lot')).toBe(true);
    latch.open();
    expect(await first).toBeInstanceOf(LeaseLost);
    expect(await rig.db.rows('select missed_reads from listings')).toEqual([{ missed_reads: 0 }, { missed_reads: 0 }]);
  });

  it('is read again when its address changes while it is being read', async () => {
    await ensureSources(rig.db.pool, rig.settings());
    rig.rows = cars(5);
    const answer = holdAnswer(0);
    const first = outcome(pollSource(withoutRenewal(), 'lot'));
    await answer.reached;
    await ensureSources(rig.db.pool, rig.settings({ url: rig.url.replace('items', 'elsewhere') }));
    answer.open();
    expect(await first).toBeInstanceOf(LeaseLost);
    expect(await stored()).toEqual([]);
    expect(await pollSource(rig.deps, 'lot')).toBe(true);
  });
});

describe('a worker’s process', () => {
  let child: ChildProcess | undefined;
  beforeEach(() => {
    child = undefined;
  });
  afterEach(() => child?.kill('SIGKILL'));

  it('that is stopped during a read loses the source to another one, and stores nothing when it resumes', async () => {
    await ensureSources(rig.db.pool, rig.settings());
    rig.rows = priced(5_000);
    const answer = holdAnswer(10);
    const path = fileURLToPath(new URL('../../../test/reading/poll-child.ts', import.meta.url));
    child = fork(path, [rig.db.url, '900'], { execArgv: ['--import', 'tsx'] });
    const message = once(child, 'message');
    await answer.reached;
    child.kill('SIGSTOP');
    rig.rows = priced(7_000);
    await expect.poll(() => pollSource(rig.deps, 'lot')).toBe(true);
    const { seconds: _, ...before } = await source();
    child.kill('SIGCONT');
    answer.open();
    expect(await message).toEqual(['LeaseLost', undefined]);
    expect(await source()).toMatchObject(before);
    expect(await prices()).toEqual([7_000]);
  });
});
