/** What the vendor's last answers say about the next mail: whoever sends asks here first. */
export interface VendorPace {
  /** Milliseconds until anything may be handed over; 0 when it may now. */
  heldMs(): number;
  /** How many more mails may be taken in hand; after a pause one goes ahead, and the others follow if it is taken. */
  room(inHand: number): number;
  taken(): void;
  /** @param startedAt of the try that failed, by `now` @param retryAfterMs what the vendor asked for */
  failed(startedAt: number, retryAfterMs: number | null): void;
}

/** A single failure is that mail's affair; so many in a row are the vendor's. */
const IN_A_ROW = 4;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** The pace of all lanes together. @param now milliseconds of a clock that is never set back */
export function makeVendorPace(now: () => number = () => performance.now(), random = Math.random): VendorPace {
  let heldUntil = 0;
  let heldAt = Number.NEGATIVE_INFINITY;
  let inARow = 0;
  let pauses = 0;

  return {
    heldMs: () => Math.max(0, Math.ceil(heldUntil - now())),
    room(inHand) {
      if (now() < heldUntil) return 0;
      if (pauses > 0) return inHand > 0 ? 0 : 1;
      return Number.POSITIVE_INFINITY;
    },
    taken() {
      inARow = 0;
      pauses = 0;
    },
    failed(startedAt, retryAfterMs) {
      inARow += 1;
      if (retryAfterMs !== null) {
        heldUntil = Math.max(heldUntil, now() + retryAfterMs);
        pauses = Math.max(1, pauses);
        heldAt = now();
        return;
      }
      // What was under way when the pause began says nothing new.
      if (startedAt < heldAt || (pauses === 0 && inARow < IN_A_ROW)) return;
      const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(pauses, 10));
      heldUntil = Math.max(heldUntil, now() + pauseMs * (0.75 + random() / 2));
      heldAt = now();
      pauses += 1;
    },
  };
}
