import { expect, it } from 'vitest';
import { makeTestApi } from '../test/make-app.ts';
import { leaksOf, type Timing, timeAnswers } from './timing.ts';

async function timed(requests: number): Promise<Timing[]> {
  const api = await makeTestApi({ env: { RATE_LIMITS: 'on', TRUSTED_PROXIES: '1', CONFIRM_EMAIL: 'on' } });
  try {
    return await timeAnswers(api.url, api.db.pool, requests, 1);
  } finally {
    await api.close();
  }
}

function expectReport(timings: Timing[], n: number): void {
  expect(timings.map((one) => one.name)).toEqual(['login', 'reset', 'registration']);
  for (const { knownMs, unknownMs, p, answers, ...rest } of timings) {
    expect(rest.n).toBe(n);
    expect(Math.min(knownMs, unknownMs, p)).toBeGreaterThan(0);
    expect(answers).toEqual([expect.stringMatching(/Invalid username or password|a link is on its way|"register"/)]);
  }
}

it('reports how long answers about existing and missing accounts take', async () => {
  expectReport(await timed(4), 4);
}, 60_000);

it('reports it of more operations, with limits that do not interfere', {
  tags: 'long',
  timeout: 120_000,
}, async () => {
  expectReport(await timed(40), 40);
});

it('reports differences that reveal who has an account', () => {
  const quiet: Timing = { name: 'login', n: 9, knownMs: 1, unknownMs: 1, p: 0.5, answers: ['no'] };
  expect(leaksOf([quiet])).toEqual([]);
  expect(
    leaksOf([
      { ...quiet, p: 0.01 },
      { ...quiet, answers: ['no', 'never'] },
    ]),
  ).toEqual(['login: the time reveals who has an account, p 0.01, not above 0.01', 'login: 2 different answers']);
});
