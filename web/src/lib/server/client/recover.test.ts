import { ApolloLink, execute, gql, Observable } from '@apollo/client';
import { CombinedGraphQLErrors } from '@apollo/client/errors';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type FailedCall, makeFaultLink, makeRecovery } from './recover.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const lost = new TypeError('Failed to fetch');
const refused = new CombinedGraphQLErrors({ errors: [{ message: 'No.', extensions: { code: 'NOT_FOUND' } }] });

/** A page with queries in these states, before a server that is up or down. */
function pageOf(...errors: (Error | undefined)[]) {
  const page = { isUp: false, isHidden: false, probes: 0, refetched: [] as number[] };
  const shown = [...errors];
  const queries = errors.map((_error, at) => ({
    queryName: `Query${at}`,
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

const tooOften = new CombinedGraphQLErrors({ errors: [{ message: 'Wait.', extensions: { code: 'RATE_LIMITED' } }] });

it('asks once again after the pause that the server asked for, and for other queries meanwhile', async () => {
  const { page, recovery } = pageOf(tooOften, lost);
  page.isUp = true;
  recovery.reportFault({ operation: 'Query0', pauseMs: 60_000 });
  await vi.advanceTimersByTimeAsync(20_000);
  expect(page.probes).toBe(0);
  recovery.reportFault({ operation: 'Query1', pauseMs: 0 });
  await vi.advanceTimersByTimeAsync(20_000);
  expect([page.probes, page.refetched]).toEqual([1, [1]]);
  await recovery.probe();
  expect(page.refetched).toEqual([1]);
  await vi.advanceTimersByTimeAsync(26_000);
  expect([page.probes, page.refetched]).toEqual([2, [1, 0]]);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(page.refetched).toEqual([1, 0]);
});

/** The calls that are reported where the server answers with this code. */
function reportedAt(code: string, headers: Record<string, string>): FailedCall[] {
  const reported: FailedCall[] = [];
  const server = new ApolloLink((operation) => {
    operation.setContext({ response: new Response('', { headers }) });
    return new Observable((observer) => {
      observer.next({ errors: [{ message: 'No.', extensions: { code } }] });
      observer.complete();
    });
  });
  const link = ApolloLink.from([makeFaultLink((call) => reported.push(call)), server]);
  const query = gql('query Cars { me { id } }');
  execute(link, { query }, { client: {} as never }).subscribe({});
  return reported;
}

it.each([
  ['RATE_LIMITED', { 'retry-after': '7' }, [{ operation: 'Cars', pauseMs: 7_000 }]],
  ['RATE_LIMITED', { 'retry-after': '900000' }, [{ operation: 'Cars', pauseMs: 3_600_000 }]],
  ['RATE_LIMITED', { 'retry-after': 'soon' }, [{ operation: 'Cars', pauseMs: 0 }]],
  ['INTERNAL', {}, [{ operation: 'Cars', pauseMs: 0 }]],
  ['NOT_FOUND', { 'retry-after': '7' }, []],
])('an answer with %s and %o is reported as %o', (code, headers, calls) => {
  expect(reportedAt(code, headers as Record<string, string>)).toEqual(calls);
});
