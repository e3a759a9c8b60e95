/** PostgreSQL NOTIFY channels. Payloads are only ids, since NOTIFY takes at most 8,000 bytes. */
export const channels = {
  /** 'match', 'backfill', 'send', 'photos', 'deliver' or 'billing': the worker has rows to process. */
  work: 'lotwatch_work',
  /** A `MatchNotice` as JSON: match rows were committed. */
  matches: 'lotwatch_matches',
  /** The name of a job that a worker is to run by schedule. */
  scheduledRuns: 'lotwatch_sweeps',
  /** The id of a user or session whose sockets are to be closed. */
  sessions: 'lotwatch_sessions',
  /** The id of a user whose plan has changed or one of whose API keys has ended. */
  keys: 'lotwatch_keys',
} as const;

/** The notification about committed matches: their position, and the listings or alerts that they are of. */
export interface MatchNotice {
  /** An int8 as decimal text. */
  position: string;
  listings?: number[];
  alerts?: number[];
}
