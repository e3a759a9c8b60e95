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
  /** Since it was first claimed or queued, when this claim was made; by the database's clock. */
  ageMs: number;
  /** When it was last looked at whether it may be sent, by `performance.now()`. */
  lookedAtMs: number;
}
