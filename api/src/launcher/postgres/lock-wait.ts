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
     * To be called after the pause that follows a refused statement, whose end may be told later than its error.
     * @returns for how long this statement has waited
     */
    refuse(): number {
      waitedMs += now() - beganAt;
      return waitedMs;
    },
  };
}
