export interface ToldEvent {
  /** Grows from event to event of a user. */
  cursor: number;
  type: string;
  happenedAt: Date;
  data: Record<string, unknown>;
}

/** What is posted: the same bytes at every try. */
export function messageBody({ cursor, type, happenedAt, data }: ToldEvent): string {
  return JSON.stringify({ type, timestamp: happenedAt.toISOString(), data: { cursor, ...data } });
}
