/** A row of `mails` that this sender holds: its status is 'sending'. */
export interface ClaimedMail {
  id: string;
  kind: string;
  userId: number | null;
  alertId: number | null;
  to: string;
  data: Record<string, unknown>;
  /** Tries, this one included. */
  attempts: number;
  createdAt: Date;
}
