import { createRequire } from 'node:module';
import type WebPush from 'web-push';
import { whenUsed } from '../../base/when-used.ts';
import { storableText } from '../../domain/facts/listing-facts.ts';
import type { PostGuarded } from '../post-guarded.ts';
import { WebFetchError } from '../web-fetch-guard.ts';
import {
  type OutgoingPush,
  PUSH_TTL_SECONDS,
  type PushDevice,
  type Pusher,
  type PushOutcome,
  type VapidKeys,
} from './push.ts';

const require = createRequire(import.meta.url);
const webPush = whenUsed(() => require('web-push') as typeof WebPush);

interface WebPushSettings {
  /** `mailto:` or https address at which push services reach the operator. */
  subject: string;
  /** @throws Error when they can't be read */
  keys(): Promise<VapidKeys>;
  post: PostGuarded;
  allowPrivateNetwork: boolean;
  allowHttp: boolean;
}

export const newVapidKeys = (): VapidKeys => webPush().generateVAPIDKeys();

/** The name under which a push service replaces a message that it still keeps: 32 characters at most. */
const topicOf = (push: OutgoingPush): string => push.id.replaceAll('-', '');

function requestOf(push: OutgoingPush, { endpoint, p256dh, auth }: PushDevice, subject: string, keys: VapidKeys) {
  const { headers, body } = webPush().generateRequestDetails(
    { endpoint, keys: { p256dh, auth } },
    JSON.stringify(push.card),
    {
      vapidDetails: { subject, ...keys },
      TTL: PUSH_TTL_SECONDS,
      urgency: push.isUrgent ? 'high' : 'normal',
      topic: topicOf(push),
      contentEncoding: 'aes128gcm',
    },
  );
  const lowerCase = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
  return { headers: { ...Object.fromEntries(lowerCase), 'user-agent': 'LotWatch-Push/1.0' }, body };
}

/** Source: RFC 8030, sections 5 and 8.4. */
function outcomeOf(status: number, text: string, retryAfterSeconds: number | null): PushOutcome {
  if (status >= 200 && status < 300) return { result: 'accepted' };
  if (status === 404 || status === 410) return { result: 'gone' };
  const error = `The push service answered ${status}${text ? `: ${storableText(text.slice(0, 200))}` : ''}`;
  const isTemporary = status === 408 || status === 429 || status >= 500;
  if (!isTemporary) return { result: 'refused', error };
  return { result: 'retry', error, retryAfterMs: retryAfterSeconds === null ? null : retryAfterSeconds * 1000 };
}

/**
 * Sends messages to browsers by Web Push: encrypted for the device (RFC 8291), with the sender's key (RFC 8292), to the push
 * service that the browser has named (RFC 8030).
 */
export function makeWebPusher({ subject, keys, post, allowPrivateNetwork, allowHttp }: WebPushSettings): Pusher {
  return {
    sendToNobody: null,
    async send(push, device, signal) {
      const ours = await keys();
      let request: ReturnType<typeof requestOf>;
      try {
        request = requestOf(push, device, subject, ours);
      } catch (error) {
        return { result: 'refused', error: error instanceof Error ? error.message : String(error) };
      }
      const url = device.endpoint;
      try {
        const answer = await post({ url, ...request, allowPrivateNetwork, allowHttp, ...(signal && { signal }) });
        return outcomeOf(answer.status, answer.text, answer.retryAfterSeconds);
      } catch (error) {
        if (!(error instanceof WebFetchError)) throw error;
        const isNoAddress = error.code === 'BAD_URL' || error.code === 'PRIVATE_ADDRESS';
        if (isNoAddress) return { result: 'refused', error: error.message };
        return {
          result: 'retry',
          error: error.message,
          retryAfterMs: null,
          isUnreachable: error.code === 'UNREACHABLE',
        };
      }
    },
  };
}
