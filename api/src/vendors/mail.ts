import type { SuppressionReason } from '../domain/suppression-reason.ts';

/** A mail as it is delivered to the vendor. `id` is ours and stays the same over retries. */
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
  /** "listingId:alertId" of each match that this mail announces. */
  matchIds: string[];
  notificationIds: number[];
}

export interface Mailer {
  /**
   * Delivers a mail to the vendor; resolves once the vendor has accepted it.
   * @throws MailDelayed when it may be retried, MailRefused when it must not be retried
   */
  send(mail: OutgoingMail): Promise<void>;
  /** Whether a mail with this id was accepted before; null when the vendor can't tell. */
  wasSent(id: string): Promise<boolean | null>;
  /**
   * After this time a claimed mail counts as left behind by a sender that died. The default is 25 s, more than `send` may
   * take. Less is right only where a mail that is delivered twice is accepted once.
   */
  readonly staleMs?: number;
}

/**
 * What the vendor reports of a mail that it accepted. `blocked`: the receiving server refused it for a reason that may pass;
 * `bounced`: for good; `dropped`: the vendor did not try; `complained`: its reader reported it as spam.
 */
export type MailEventKind =
  | 'delivered'
  | 'deferred'
  | 'blocked'
  | 'bounced'
  | 'dropped'
  | 'complained'
  | 'unsubscribed';

export interface MailEvent {
  /** The vendor's id, the same when it reports the event again. */
  id: string;
  /** The id of our mail. */
  mailId: string;
  kind: MailEventKind;
  at: Date;
  address: string;
  /** What the receiving server said, printable and cut. */
  reason: string | null;
  /** null where further mails may go to the address. */
  suppresses: SuppressionReason | null;
}

/** The vendor is busy, broken or unreachable; the same mail may be accepted later. */
export class MailDelayed extends Error {
  readonly retryAfterMs: number | null;
  constructor(message: string, retryAfterMs: number | null = null, cause?: unknown) {
    super(message, { cause });
    this.name = 'MailDelayed';
    this.retryAfterMs = retryAfterMs;
  }
}

/** The vendor will never accept this mail. */
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

/** The vendor's own list of addresses to which it delivers nothing. */
export interface VendorSuppressions {
  /** Removes an address from it. @throws AppError VENDOR */
  remove(address: string): Promise<void>;
}
