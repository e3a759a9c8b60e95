/**
 * Adds up for how long one statement is refused its lock, over the tries of a migration, each of which begins at the first
 * statement. A try that comes farther begins at 0: what it did before, for an hour perhaps, was no waiting.
 * @param now in milliseconds
 */
export function makeLockWait(now: () => number) {
  let ended = 0;
  let farthest = 0;
  let waitedMs = 0;
  let beganAt = now();
  let endedAt = beganAt;
  return {
    beginTry(): void {
      ended = 0;
      beganAt = now();
      endedAt = beganAt;
    },
    /** To be called after each statement, the refused one too. */
    endStatement(): void {
      beganAt = endedAt;
      endedAt = now();
      ended += 1;
      if (ended <= farthest) return;
      farthest = ended;
      waitedMs = 0;
    },
    /** Statements that have succeeded for good are not repeated. */
    endMigration(): void {
      ended = 0;
      farthest = 0;
      waitedMs = 0;
    },
    /**
     * To be called when the last statement was refused.
     * @param pauseMs until the next try
     * @returns for how long this statement has waited by then
     */
    refuse(pauseMs: number): number {
      waitedMs += now() - beganAt + pauseMs;
      return waitedMs;
    },
  };
}
