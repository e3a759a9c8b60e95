import { type Encryption, tryDecrypt } from '../../base/encryption.ts';
import { storableText } from '../../domain/facts/listing-facts.ts';
import { messageBody, signMessage } from '../../domain/webhooks/message.ts';
import type { PostGuarded } from '../../vendors/post-guarded.ts';
import { WebFetchError } from '../../vendors/web-fetch-guard.ts';
import type { Message } from './claim-messages.ts';

/** What a receiver said, or why there was no answer. */
export interface Outcome {
  taken: boolean;
  /** Null where there was no answer. */
  statusCode: number | null;
  ms: number;
  error: string | null;
  /** The first 1,000 characters. */
  answer: string | null;
  retryAfterSeconds: number | null;
}

export interface SendParts {
  post: PostGuarded;
  encryption: Encryption;
  allowPrivateNetwork: boolean;
  allowHttp: boolean;
  signal: AbortSignal;
}

const SHOWN_CHARACTERS = 1_000;
const UNREADABLE = "We can't read the secret any more. Please rotate it: what waits is sent then.";

function reasonOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `It answered ${status}; redirects are not followed.`;
  return `It answered ${status}.`;
}

/** Null when the newest can't be read; the one before it signs no more when that can't. */
function decryptSecrets(encryption: Encryption, ciphertexts: readonly string[]): string[] | null {
  const [newest = null, ...before] = ciphertexts.map((ciphertext) => tryDecrypt(encryption, ciphertext));
  return newest === null ? null : [newest, ...before.filter((secret) => secret !== null)];
}

/**
 * Tells one webhook of one event, signed. Whatever comes of it is an outcome.
 * @throws the reason of the signal when it stopped the try
 */
export async function sendMessage(parts: SendParts, message: Message, now: Date): Promise<Outcome> {
  const startedAt = performance.now();
  const failed = (error: string): Outcome => ({
    taken: false,
    statusCode: null,
    ms: Math.round(performance.now() - startedAt),
    error,
    answer: null,
    retryAfterSeconds: null,
  });
  const secrets = decryptSecrets(parts.encryption, message.secretCiphertexts);
  if (!secrets) return failed(UNREADABLE);
  const body = messageBody(message);
  const timestamp = Math.floor(now.getTime() / 1000);
  try {
    const { status, text, retryAfterSeconds } = await parts.post({
      url: message.url,
      headers: signMessage({ id: message.messageId, timestamp, body }, secrets),
      body,
      allowPrivateNetwork: parts.allowPrivateNetwork,
      allowHttp: parts.allowHttp,
      signal: parts.signal,
    });
    const error = reasonOf(status);
    const ms = Math.round(performance.now() - startedAt);
    const answer = storableText(text.slice(0, SHOWN_CHARACTERS));
    return { taken: error === null, statusCode: status, ms, error, answer, retryAfterSeconds };
  } catch (error) {
    if (error instanceof WebFetchError) return failed(error.message);
    throw error;
  }
}
