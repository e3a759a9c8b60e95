import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { newWebhookSecret, signMessage } from './message.ts';
import { isGivenUp, MAX_TRIES, nextTryInMs, webhookBackoffMs } from './retry-plan.ts';

const HOUR = 3_600_000;

describe('retries', () => {
  it('are ten over about a day, each later than the one before', () => {
    const waits = Array.from({ length: MAX_TRIES - 1 }, (_, at) => nextTryInMs(at + 1, 0.5) ?? 0);
    expect(waits.slice(0, 4)).toEqual([5_000, 20_000, 80_000, 320_000]);
    for (const [at, wait] of waits.entries()) expect(wait).toBeGreaterThanOrEqual(waits[at - 1] ?? 0);
    const all = waits.reduce((sum, wait) => sum + wait, 0);
    expect(all / HOUR).toBeGreaterThan(23);
    expect(all / HOUR).toBeLessThan(25);
    expect(nextTryInMs(MAX_TRIES, 0.5)).toBeNull();
  });

  it('are spread', () => {
    expect([nextTryInMs(2, 0), nextTryInMs(2, 1)]).toEqual([18_000, 22_000]);
  });

  it('leave an endpoint alone that asks for it, within bounds, or that fails again and again', () => {
    expect([
      webhookBackoffMs(1, null),
      webhookBackoffMs(4, null),
      webhookBackoffMs(5, null),
      webhookBackoffMs(8, null),
      webhookBackoffMs(999, null),
    ]).toEqual([0, 0, 1_000, 8_000, 60_000]);
    expect([webhookBackoffMs(1, 120), webhookBackoffMs(1, 1e12), webhookBackoffMs(9, 2)]).toEqual([
      120_000,
      HOUR,
      16_000,
    ]);
  });

  it('end in a pause when nothing was taken for as long as a message is tried', () => {
    expect(isGivenUp(10, 23 * HOUR)).toBe(true);
    expect(isGivenUp(9, 23 * HOUR)).toBe(false);
    expect(isGivenUp(500, HOUR)).toBe(false);
  });
});

describe('signatures', () => {
  const body = '{"type":"match.created","data":{"title":"Käfer"}}';
  const now = Math.floor(Date.now() / 1000);

  it('are what the published library verifies, under either secret', () => {
    const secrets = [newWebhookSecret(), newWebhookSecret()];
    const headers = signMessage({ id: 'msg_1', timestamp: now, body }, secrets);
    for (const secret of secrets) expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  });

  it('hold for this message, body and moment alone', () => {
    const secret = newWebhookSecret();
    const headers = signMessage({ id: 'msg_1', timestamp: now, body }, [secret]);
    const refused = (told: string, changed: Record<string, string> = {}, known = secret) =>
      expect(() => new Webhook(known).verify(told, { ...headers, ...changed })).toThrow();
    refused(`${body} `);
    refused(body, { 'webhook-id': 'msg_2' });
    refused(body, { 'webhook-timestamp': String(now + 1) });
    refused(body, {}, newWebhookSecret());
  });
});
