/** A mail as it is handed over. `id` is ours and stays the same over retries. */
export interface OutgoingMail {
  id: string;
  kind: string;
  to: string;
  replyTo: string | null;
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
  alertId: number | null;
  /** "listingId:alertId", one a match that this mail announces. */
  matchIds: string[];
  notificationIds: number[];
}

export interface Mailer {
  /**
   * Hands a mail over; resolves once the vendor has taken it for good.
   * @throws MailDelayed to be tried again, MailRefused never to be tried again
   */
  send(mail: OutgoingMail): Promise<void>;
  /** Whether a mail with this id was taken before; null where the vendor can't tell. */
  wasSent(id: string): Promise<boolean | null>;
  /**
   * A mail that has been in hand for longer was left behind by a sender that died. 25 s where it isn't said:
   * more than `send` may take. Less is right only where a mail that is handed over twice is taken once.
   */
  readonly staleMs?: number;
}

/** Busy, broken or out of reach: the same mail may be taken later. */
export class MailDelayed extends Error {
  readonly retryAfterMs: number | null;
  constructor(message: string, retryAfterMs: number | null = null, cause?: unknown) {
    super(message, { cause });
    this.name = 'MailDelayed';
    this.retryAfterMs = retryAfterMs;
  }
}

/** The vendor will never take this mail. */
export class MailRefused extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'MailRefused';
  }
}

/** 'LotWatch <alerts@example.com>' in its parts. */
export function readAddress(address: string): { name: string | undefined; email: string } {
  const [, name = '', email] = /^([^<]*)<([^<>]+)>$/.exec(address.trim()) ?? [];
  if (email === undefined) return { name: undefined, email: address.trim() };
  return {
    name:
      name
        .trim()
        .replace(/^"([^"]*)"$/, '$1')
        .trim() || undefined,
    email: email.trim(),
  };
}
