import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { newWebhookSecret, signMessage } from './message.ts';
import { MAX_TRIES, shouldPauseWebhook, webhookBackoffMs, webhookRetryDelayMs } from './retry-plan.ts';

const HOUR = 3_600_000;

describe('retries', () => {
  it('are ten attempts over about a day, with growing delays', () => {
    const waits = Array.from({ length: MAX_TRIES - 1 }, (_, at) => webhookRetryDelayMs(at + 1, 0.5) ?? 0);
    expect(waits.slice(0, 4)).toEqual([5_000, 20_000, 80_000, 320_000]);
    for (const [at, wait] of waits.entries()) expect(wait).toBeGreaterThanOrEqual(waits[at - 1] ?? 0);
    const all = waits.reduce((sum, wait) => sum + wait, 0);
    expect(all / HOUR).toBeGreaterThan(23);
    expect(all / HOUR).toBeLessThan(25);
    expect(webhookRetryDelayMs(MAX_TRIES, 0.5)).toBeNull();
  });

  it('have jitter', () => {
    expect([webhookRetryDelayMs(2, 0), webhookRetryDelayMs(2, 1)]).toEqual([18_000, 22_000]);
  });

  it('back off by a limited Retry-After, and after repeated failures', () => {
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

  it('end in a pause when no message was accepted during all attempts of one', () => {
    expect(shouldPauseWebhook(10, 23 * HOUR)).toBe(true);
    expect(shouldPauseWebhook(9, 23 * HOUR)).toBe(false);
    expect(shouldPauseWebhook(500, HOUR)).toBe(false);
  });
});

describe('signatures', () => {
  const body = '{"type":"match.created","data":{"title":"Käfer"}}';
  const now = Math.floor(Date.now() / 1000);

  it('are verified by the published library, under either secret', () => {
    const secrets = [newWebhookSecret(), newWebhookSecret()];
    const headers = signMessage({ id: 'msg_1', timestamp: now, body }, secrets);
    for (const secret of secrets) expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  });

  it('are valid for this message, body and time only', () => {
    const secret = newWebhookSecret();
    const headers = signMessage({ id: 'msg_1', timestamp: now, body }, [secret]);
    const refused = (sent: string, changed: Record<string, string> = {}, known = secret) =>
      expect(() => new Webhook(known).verify(sent, { ...headers, ...changed })).toThrow();
    refused(`${body} `);
    refused(body, { 'webhook-id': 'msg_2' });
    refused(body, { 'webhook-timestamp': String(now + 1) });
    refused(body, {}, newWebhookSecret());
  });
});
