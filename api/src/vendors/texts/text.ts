import { makeOutbox, type Outbox, type OutboxGuard } from '../outbox-mail.ts';

/** A text message as it is delivered to the vendor, once. `id` is ours. */
export interface OutgoingText {
  id: string;
  kind: string;
  /** E.164. */
  to: string;
  text: string;
  alertId: number | null;
  /** "listingId:alertId" of each match that this text announces. */
  matchIds: string[];
  notificationIds: number[];
}

export interface Texter {
  /**
   * Delivers a text and resolves once the vendor has accepted it, with the vendor's id where it gives one. Never call it
   * twice for one text: after any other error it is unknown whether the text was accepted.
   * @throws TextRefused, TextNotTaken
   */
  send(text: OutgoingText): Promise<{ sid: string | null }>;
  /** The longest duration of a call, in milliseconds; a text that is open for longer was left behind. */
  readonly timeoutMs: number;
}

/** The vendor has not accepted this text and never will. */
export class TextRefused extends Error {
  /** `stopped`: the receiver has opted out; `number`: it can't receive texts. */
  readonly because: 'stopped' | 'number' | 'other';
  constructor(message: string, because: TextRefused['because'], cause?: unknown) {
    super(message, { cause });
    this.name = 'TextRefused';
    this.because = because;
  }
}

/** The vendor has certainly not accepted this text, and may accept one like it later. */
export class TextNotAccepted extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'TextNotTaken';
  }
}

interface OutboxTexter extends Texter {
  close(): Promise<void>;
}

const TIMEOUT_MS = 15_000;

/**
 * The texter of a machine without Twilio: appends one JSON line a text, on disk before `send` resolves. The file is
 * opened with the first text.
 */
export function makeOutboxTexter(path: string, guard: OutboxGuard): OutboxTexter {
  let opened: Promise<Outbox> | undefined;
  const open = () => {
    opened ??= makeOutbox(path, guard).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  return {
    timeoutMs: TIMEOUT_MS,
    async send(text: OutgoingText) {
      const outbox = await open();
      await outbox.append({
        id: text.id,
        channel: 'sms',
        kind: text.kind,
        to: text.to,
        subject: '',
        text: text.text,
        html: '',
        headers: {},
        alertId: text.alertId,
        matchIds: text.matchIds,
        notificationId: text.notificationIds[0] ?? null,
        notificationIds: text.notificationIds,
        sentAt: new Date().toISOString(),
      });
      return { sid: null };
    },
    async close() {
      await (await opened?.catch(() => undefined))?.close();
    },
  };
}
