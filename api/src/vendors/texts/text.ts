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
  /** `stopped`: its receiver wants no texts; `number`: it can't get any. */
  readonly because: 'stopped' | 'number' | 'other';
  constructor(message: string, because: TextRefused['because'], cause?: unknown) {
    super(message, { cause });
    this.name = 'TextRefused';
    this.because = because;
  }
}

/** The vendor has certainly not accepted this text, and may accept one like it later. */
export class TextNotTaken extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'TextNotTaken';
  }
}
