/** A row of `mails` that this sender holds: its status is 'sending'. */
export interface ClaimedMail {
  id: string;
  kind: string;
  userId: number | null;
  alertId: number | null;
  to: string;
  data: Record<string, unknown>;
  /** Tries, this one included. Whoever takes the mail over raises it, so it also tells who holds the mail. */
  attempts: number;
  createdAt: Date;
  /** When it was last looked at whether it may be sent, by `performance.now()`. */
  lookedAtMs: number;
}
