import { expect, it } from 'vitest';
import { makeTestApi } from '../test/make-app.ts';
import { type Timing, tellingOf, timeAnswers } from './timing.ts';

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

it('reports how long answers take of accounts that are there and of some that are not', async () => {
  expectReport(await timed(4), 4);
}, 60_000);

it('reports it of more, with limits of tries that keep out of the way', {
  tags: 'long',
  timeout: 120_000,
}, async () => {
  expectReport(await timed(40), 40);
});

it('says what tells who has an account', () => {
  const quiet: Timing = { name: 'login', n: 9, knownMs: 1, unknownMs: 1, p: 0.5, answers: ['no'] };
  expect(tellingOf([quiet])).toEqual([]);
  expect(
    tellingOf([
      { ...quiet, p: 0.01 },
      { ...quiet, answers: ['no', 'never'] },
    ]),
  ).toEqual(['login: the time tells who has an account, p 0.01, not above 0.01', 'login: 2 different answers']);
});
