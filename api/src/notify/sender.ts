import type { Pool } from '../base/database.ts';
import type { Log } from '../base/log.ts';
import type { Mailer } from '../vendors/mail.ts';
import type { ClaimedMail } from './claim/claimed-mail.ts';
import type { SentMail } from './hand-over/settle.ts';
import type { VendorPace } from './hand-over/vendor-pace.ts';
import type { MailSite, Rendered } from './render/render-mails.ts';

export interface SendParts extends MailSite {
  pool: Pool;
  mailer: Mailer;
  log: Log;
  /** Whether an unconfirmed address gets nothing but the confirmation. */
  confirmEmail: boolean;
  /** Mails under way at once. */
  parallel?: number;
  /** Aborted at shutdown: nothing more is claimed, what is under way is finished, and the rest is given back. */
  signal?: AbortSignal;
}

/** What a process that sends keeps from one run to the next. */
export interface Sender extends SendParts {
  /** A claim that is older was left behind. Milliseconds. */
  staleMs: number;
  pace: VendorPace;
  /** Ids of the mails in hand, until what became of them is written down. */
  held: Set<string>;
  /** Alerts that somebody else holds, or that make trouble, with when to look again by `performance.now()`. */
  skipped: Map<number, number>;
  /** Looks again at a mail that had to wait in hand, together with others that had to. */
  freshen(mail: ClaimedMail): Promise<Ready>;
  /** Writes down in the background that the vendor has taken a mail. */
  recordSent(mail: SentMail): void;
  /** Resolves when all of that is written down. */
  recorded(): Promise<void>;
}

/** `busy`: it is left as it is, for a later run. */
export type Outcome = 'sent' | 'delayed' | 'failed' | 'dropped' | 'progressed' | 'busy';

/** What is to be handed over, or what became of a mail that is not. */
export type Ready = Rendered | { mail: ClaimedMail; outcome: Outcome };

/** Another sender holds the row, or the look must wait for matching. */
export const SOON_MS = 250;
