/** A text message as it is handed over, once. `id` is ours. */
export interface OutgoingText {
  id: string;
  kind: string;
  /** E.164. */
  to: string;
  text: string;
  alertId: number | null;
  /** "listingId:alertId", one a match that this text announces. */
  matchIds: string[];
  notificationIds: number[];
}

export interface Texter {
  /**
   * Hands a text over and resolves once the vendor has taken it, with the vendor's id where it gives one. Never call
   * it twice for one text: what it throws beside these two leaves open whether the text was taken.
   * @throws TextRefused, TextNotTaken
   */
  send(text: OutgoingText): Promise<{ sid: string | null }>;
  /** A call may take so long, in milliseconds; what is open for longer was left behind. */
  readonly timeoutMs: number;
}

/** The vendor has not taken this text and never will. */
export class TextRefused extends Error {
  /** `stopped`: its receiver wants no texts; `number`: it can't get any. */
  readonly because: 'stopped' | 'number' | 'other';
  constructor(message: string, because: TextRefused['because'], cause?: unknown) {
    super(message, { cause });
    this.name = 'TextRefused';
    this.because = because;
  }
}

/** The vendor has certainly not taken this text, and may take one like it later. */
export class TextNotTaken extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'TextNotTaken';
  }
}
