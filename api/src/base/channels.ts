/** PostgreSQL NOTIFY channels. Payloads are ids only: NOTIFY takes 8,000 bytes. */
export const channels = {
  /** 'match', 'backfill', 'send', 'photos', 'deliver' or 'billing': rows wait for the worker. */
  work: 'lotwatch_work',
  /** A `MatchNotice` as JSON: match rows were committed. */
  matches: 'lotwatch_matches',
  /** A job's name: a worker runs it by schedule. */
  sweeps: 'lotwatch_sweeps',
  /** A user's id or a session's id: its sockets close. */
  sessions: 'lotwatch_sessions',
  /** A user's id: one of their API keys has ended, or their plan has changed. Sent by the database. */
  keys: 'lotwatch_keys',
} as const;

/** What is told of match rows: their position, and the listings or the alerts that a transaction wrote matches of. */
export interface MatchNotice {
  /** An int8 as decimal text. */
  position: string;
  listings?: number[];
  alerts?: number[];
}
