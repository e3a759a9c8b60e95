import { createRequire } from 'node:module';
import type twilio from 'twilio';
import type TwilioRequests from 'twilio/lib/base/RequestClient.js';
import { trimEnd } from '../../base/trim-end.ts';
import { whenUsed } from '../../base/when-used.ts';
import { type OutgoingText, type Texter, TextNotAccepted, TextRefused } from './text.ts';

const require = createRequire(import.meta.url);
/** Twilio's package, which is loaded at the first call. */
const twilioPackage = whenUsed(() => require('twilio') as typeof twilio);

interface TwilioSettings {
  accountSid: string;
  authToken: string;
  /** E.164, or a short code. */
  from: string;
  /** The address of a server in place of Twilio's own. */
  apiBase: string | undefined;
  /** The address for Twilio's delivery reports, without the text's id; null when Twilio can't reach it. */
  statusCallback: string | null;
  timeoutMs?: number;
}

const TIMEOUT_MS = 15_000;

/** Errors before a connection was made, so that nothing was sent. */
const unreached = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);
/** Statuses for wrong settings and too many calls, which are refused before anything is done. */
const temporary = new Set([401, 403, 429]);
/** Source: Twilio's error dictionary: 21610 the receiver replied STOP; the others name numbers that can't be texted. */
const STOPPED = 21_610;
const badNumbers = new Set([21_211, 21_217, 21_401, 21_407, 21_421, 21_604, 21_612, 21_614]);

interface Failure {
  status?: number;
  code?: number | string;
  message?: string;
}

/** After a 5xx or a lost connection it is unknown whether the text was accepted: these errors are thrown as they are. */
function translated(failure: Failure): unknown {
  const { status, code, message } = failure;
  if (status === undefined) {
    return typeof code === 'string' && unreached.has(code) ? new TextNotAccepted(`Twilio: ${code}`, failure) : failure;
  }
  const said = `Twilio ${status}${code ? ` (${code})` : ''}: ${message ?? ''}`.slice(0, 500);
  if (temporary.has(status)) return new TextNotAccepted(said, failure);
  if (status < 400 || status >= 500 || status === 408) return new Error(said, { cause: failure });
  if (code === STOPPED) return new TextRefused(said, 'stopped', failure);
  return new TextRefused(said, badNumbers.has(Number(code)) ? 'number' : 'other', failure);
}

type RequestOptions<T> = TwilioRequests.RequestOptions<T>;

/** Twilio's client, with another server than its built-in one where `apiBase` names one. */
function requestClient(apiBase: string | undefined, connection: { timeout: number; keepAlive: boolean }) {
  const { RequestClient } = twilioPackage();
  if (apiBase === undefined) return new RequestClient(connection);
  const base = trimEnd(apiBase, '/');
  class RedirectedClient extends RequestClient {
    override request<T>(options: RequestOptions<T>) {
      const { pathname, search } = new URL(options.uri);
      return super.request<T>({ ...options, uri: `${base}${pathname}${search}` });
    }
  }
  return new RedirectedClient(connection);
}

/** Sends texts through Twilio's official client. Its call has no idempotency key, so that no text is sent twice. */
export function makeTwilioTexter(settings: TwilioSettings): Texter {
  const timeoutMs = settings.timeoutMs ?? TIMEOUT_MS;
  // A kept-alive connection may be cut during a call, so that it is unknown whether the text was accepted.
  const options = { timeout: timeoutMs, keepAlive: false };
  const httpClient = requestClient(settings.apiBase, options);
  const client = twilioPackage()(settings.accountSid, settings.authToken, { httpClient });

  return {
    timeoutMs,
    async send(text: OutgoingText) {
      const callback = settings.statusCallback;
      try {
        const taken = await client.messages.create({
          to: text.to,
          from: settings.from,
          body: text.text,
          ...(callback !== null && { statusCallback: `${callback}?text=${text.id}` }),
        });
        return { sid: taken.sid };
      } catch (error) {
        throw translated(error as Failure);
      }
    },
  };
}

/**
 * Whether Twilio made this call of our webhook, by its own check.
 * @param url as Twilio knows it, with its query @param signature of the header X-Twilio-Signature
 * @param form every field of the body
 */
export function isTwilioCall(
  authToken: string,
  url: string,
  signature: string,
  form: Readonly<Record<string, string | string[]>>,
): boolean {
  return twilioPackage().validateRequest(authToken, signature, url, { ...form });
}

/** Makes the response to Twilio, which sends one text back, or none for null. */
export function twiml(text: string | null): string {
  const { twiml: answers } = twilioPackage();
  const response = new answers.MessagingResponse();
  if (text !== null) response.message(text);
  return response.toString();
}
