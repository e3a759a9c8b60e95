import { CombinedGraphQLErrors } from '@apollo/client/errors';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeRecovery } from './recover.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const lost = new TypeError('Failed to fetch');
const refused = new CombinedGraphQLErrors({ errors: [{ message: 'No.', extensions: { code: 'NOT_FOUND' } }] });

/** A page with queries in these states, before a server that is up or down. */
function pageOf(...errors: (Error | undefined)[]) {
  const page = { isUp: false, isHidden: false, probes: 0, refetched: [] as number[] };
  const shown = [...errors];
  const queries = errors.map((_error, at) => ({
    getCurrentResult: () => ({ error: shown[at] }),
    async refetch() {
      page.refetched.push(at);
      if (page.isUp) shown[at] = undefined;
    },
  }));
  const client = { getObservableQueries: () => new Set(queries) } as unknown as Parameters<typeof makeRecovery>[0];
  const isUp = async () => {
    page.probes += 1;
    return page.isUp;
  };
  return { page, recovery: makeRecovery(client, isUp, () => page.isHidden) };
}

it('does nothing while no query is failing', async () => {
  const { page, recovery } = pageOf(undefined, refused);
  recovery.reportFault();
  await vi.advanceTimersByTimeAsync(120_000);
  expect([page.probes, page.refetched]).toEqual([0, []]);
});

it('probes with increasing delays, and fetches failed queries again once the server is back', async () => {
  const { page, recovery } = pageOf(lost, undefined, lost, refused);
  recovery.reportFault();
  await vi.advanceTimersByTimeAsync(3000);
  expect(page.probes).toBe(0);
  await vi.advanceTimersByTimeAsync(4000);
  expect(page.probes).toBe(1);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(page.probes).toBeGreaterThan(30);
  expect(page.probes).toBeLessThan(60);
  expect(page.refetched).toEqual([]);
  page.isUp = true;
  await vi.advanceTimersByTimeAsync(40_000);
  expect(page.refetched).toEqual([0, 2]);
  const { probes } = page;
  await vi.advanceTimersByTimeAsync(120_000);
  expect([page.probes, page.refetched]).toEqual([probes, [0, 2]]);
});

it('probes immediately on demand, but not in a hidden page', async () => {
  const { page, recovery } = pageOf(lost);
  recovery.reportFault();
  page.isUp = true;
  page.isHidden = true;
  await recovery.probe();
  expect(page.refetched).toEqual([]);
  page.isHidden = false;
  await recovery.probe();
  expect(page.refetched).toEqual([0]);
});
