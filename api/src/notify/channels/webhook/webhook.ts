import { ClaimScan } from '../../../base/claim-scan.ts';
import { type Encryption, tryDecrypt } from '../../../base/encryption.ts';
import { currentRequestId } from '../../../base/request-id.ts';
import { storableText } from '../../../domain/facts/listing-facts.ts';
import { messageBody, signMessage } from '../../../domain/webhooks/message.ts';
import { webhookRetryDelayMs } from '../../../domain/webhooks/retry-plan.ts';
import type { PostGuarded } from '../../../vendors/post-guarded.ts';
import { WebFetchError } from '../../../vendors/web-fetch-guard.ts';
import type { Adapter, Attempt } from '../../adapter.ts';
import { type Engine, type EngineParts, makeEngine } from '../../engine.ts';
import type { DueScan } from '../claim-place.ts';
import { type ClaimedMessage, claimMessages, LEASE_MS, nextDueInMs } from './claim-messages.ts';
import { completeMessage, GONE, type WebhookReceipt } from './complete-messages.ts';

export interface WebhookParts extends EngineParts {
  post: PostGuarded;
  encryption: Encryption;
  allowPrivateNetwork: boolean;
  allowHttp: boolean;
  confirmEmail: boolean;
  /** 0 to 1; for the jitter of retries. */
  random?(): number;
  /** How long this process relies on a claim, where that is shorter than the lease. */
  leaseMs?: number;
}

/** A message to post; `secrets` are null when they can't be decrypted. */
interface WebhookMessage {
  body: string;
  secrets: readonly string[] | null;
}

/** Concurrent calls of one process to all webhooks together. */
const WORKERS = 200;
/** Deliveries that end within this time are followed by one claim, as a claim reads all webhooks with waiting messages. */
const CLAIM_AFTER_MS = 10;
const SHOWN_CHARACTERS = 1_000;
const UNREADABLE = "We can't read the secret any more. Please rotate it: what waits is sent then.";

function reasonOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `It answered ${status}; redirects are not followed.`;
  return `It answered ${status}.`;
}

/** Decrypts the secrets; null when the newest can't be decrypted. A former one that can't be is left out. */
function decryptSecrets(encryption: Encryption, ciphertexts: readonly string[]): string[] | null {
  const [newest = null, ...before] = ciphertexts.map((ciphertext) => tryDecrypt(encryption, ciphertext));
  return newest === null ? null : [newest, ...before.filter((secret) => secret !== null)];
}

/** Posts one event to one webhook, signed with the current time. Any answer, and a timeout, counts as the receiver's. */
async function post(
  parts: WebhookParts,
  { body, secrets }: WebhookMessage,
  { messageId, url }: ClaimedMessage,
): Promise<Attempt<WebhookReceipt>> {
  const startedAtMs = performance.now();
  const receiptOf = (more: Partial<WebhookReceipt> = {}): WebhookReceipt => ({
    statusCode: null,
    ms: Math.round(performance.now() - startedAtMs),
    answer: null,
    retryAfterSeconds: null,
    ...more,
  });
  if (!secrets) return { result: 'retry', error: UNREADABLE, receipt: receiptOf() };
  const { allowPrivateNetwork, allowHttp, signal } = parts;
  const requestId = currentRequestId();
  const signed = signMessage({ id: messageId, timestamp: Math.floor(Date.now() / 1000), body }, secrets);
  try {
    const { status, text, retryAfterSeconds } = await parts.post({
      url,
      headers: { ...signed, ...(requestId !== null && { 'x-request-id': requestId }) },
      body,
      allowPrivateNetwork,
      allowHttp,
      ...(signal && { signal }),
    });
    const error = reasonOf(status);
    const answer = storableText(text.slice(0, SHOWN_CHARACTERS));
    const receipt = receiptOf({ statusCode: status, answer, retryAfterSeconds });
    return error === null ? { result: 'accepted', receipt } : { result: 'retry', error, receipt };
  } catch (error) {
    if (error instanceof WebFetchError) return { result: 'retry', error: error.message, receipt: receiptOf() };
    if (signal?.aborted) return { result: 'stopped' };
    throw error;
  }
}

/**
 * Webhooks: each event goes to each webhook that subscribes to it, at least once and under one id. The claim limits every
 * webhook separately, so that a slow or failing one delays no other.
 */
function webhookAdapter(parts: WebhookParts): Adapter<ClaimedMessage, WebhookMessage, WebhookReceipt> {
  const { pool, encryption, random = Math.random } = parts;
  const scan: DueScan = new ClaimScan();
  return {
    name: 'webhook',
    guarantee: 'at least once',
    leaseMs: parts.leaseMs ?? LEASE_MS,
    workers: WORKERS,
    throttle: 'receiver',
    batching: { claimsAhead: false, claimAfterMs: CLAIM_AFTER_MS, completions: false },
    async claim(limit) {
      const claims = await claimMessages(pool, limit, scan);
      return { claims, isDone: claims.length === 0 };
    },
    render: async (claims) =>
      claims.map((claim) => ({
        body: messageBody(claim),
        secrets: decryptSecrets(encryption, claim.secretCiphertexts),
      })),
    deliver: (message, claim) => post(parts, message, claim),
    retryInMs: ({ tries }, { receipt }) => (receipt?.statusCode === GONE ? null : webhookRetryDelayMs(tries, random())),
    async complete(completions) {
      for (const completion of completions) await completeMessage(pool, completion, parts.confirmEmail);
    },
    nextDueInMs: () => nextDueInMs(pool, scan),
  };
}

/** Makes the engine that delivers the webhook messages of a process. */
export const makeWebhookEngine = (parts: WebhookParts): Engine => makeEngine(webhookAdapter(parts), parts);
