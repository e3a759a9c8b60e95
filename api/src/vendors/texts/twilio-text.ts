import twilio from 'twilio';
import type TwilioRequests from 'twilio/lib/base/RequestClient.js';
import { trimEnd } from '../../base/trim-end.ts';
import { type OutgoingText, type Texter, TextNotTaken, TextRefused } from './text.ts';

export interface TwilioSettings {
  accountSid: string;
  authToken: string;
  /** E.164, or a short code. */
  from: string;
  /** Another server than Twilio's own. */
  apiBase: string | undefined;
  /** Where Twilio tells of a text's way, without our id; null where it could not reach us. */
  statusCallback: string | null;
  timeoutMs?: number;
}

const TIMEOUT_MS = 15_000;

/** The connection was never made, so that nothing can have been said over it. */
const unreached = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);
/** Faults of our settings, which get mended, and too many calls: refused before anything was done. */
const notNow = new Set([401, 403, 429]);
/** Source: Twilio's error dictionary: 21610 the receiver replied STOP; the others name numbers that can't be texted. */
const STOPPED = 21_610;
const badNumbers = new Set([21_211, 21_217, 21_401, 21_407, 21_421, 21_604, 21_612, 21_614]);

interface Failure {
  status?: number;
  code?: number | string;
  message?: string;
}

/** 5xx says nothing of whether the text was taken, nor does a connection that was lost: those are thrown as they are. */
function translated(failure: Failure): unknown {
  const { status, code, message } = failure;
  if (status === undefined) {
    return typeof code === 'string' && unreached.has(code) ? new TextNotTaken(`Twilio: ${code}`, failure) : failure;
  }
  const said = `Twilio ${status}${code ? ` (${code})` : ''}: ${message ?? ''}`.slice(0, 500);
  if (notNow.has(status)) return new TextNotTaken(said, failure);
  if (status < 400 || status >= 500 || status === 408) return new Error(said, { cause: failure });
  if (code === STOPPED) return new TextRefused(said, 'stopped', failure);
  return new TextRefused(said, badNumbers.has(Number(code)) ? 'number' : 'other', failure);
}

type RequestOptions<T> = TwilioRequests.RequestOptions<T>;

// The package is CommonJS: Node finds no names in it.
const { RequestClient } = twilio;

/** Twilio's client, which knows but one server, sent to another. */
class RedirectedClient extends RequestClient {
  readonly #base: string;
  constructor(base: string, options: { timeout: number; keepAlive: boolean }) {
    super(options);
    this.#base = trimEnd(base, '/');
  }
  override request<T>(options: RequestOptions<T>) {
    const { pathname, search } = new URL(options.uri);
    return super.request<T>({ ...options, uri: `${this.#base}${pathname}${search}` });
  }
}

/** Texts through Twilio's official client. Its call has no idempotency key: no text is handed over twice. */
export function makeTwilioTexter(settings: TwilioSettings): Texter {
  const timeoutMs = settings.timeoutMs ?? TIMEOUT_MS;
  // A connection that was kept may be cut while it is used, and leave open whether the text was taken.
  const options = { timeout: timeoutMs, keepAlive: false };
  const httpClient =
    settings.apiBase === undefined ? new RequestClient(options) : new RedirectedClient(settings.apiBase, options);
  const client = twilio(settings.accountSid, settings.authToken, { httpClient });

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
