import { backoffMs } from '../domain/throttle.ts';

/** Limits deliveries to one vendor by the vendor's last answers. */
export interface Throttle {
  /** Milliseconds until anything may be delivered; 0 when it may now. */
  pausedMs(): number;
  /** How many more messages may be claimed. After a pause it is one, and more once that is accepted. */
  room(inHand: number): number;
  accepted(): void;
  /** @param startedAt when the failed call began, by `now` @param retryAfterMs the delay that the vendor asked for */
  failed(startedAt: number, retryAfterMs: number | null): void;
}

/** No throttle, for channels with many receivers that the claim limits separately. */
export const unthrottled: Throttle = {
  pausedMs: () => 0,
  room: () => Number.POSITIVE_INFINITY,
  accepted() {},
  failed() {},
};

/** How many failures in a row count as the vendor's, as a single one may be due to the message. */
const IN_A_ROW = 4;
const pauseBackoff = { firstMs: 1_000, maxMs: 60_000, factor: 2, jitter: 0.25 };

/** The throttle of all workers of a process. @param now milliseconds of a clock that is never set back */
export function makeVendorThrottle(now: () => number = () => performance.now(), random = Math.random): Throttle {
  let pausedUntil = 0;
  let pausedAt = Number.NEGATIVE_INFINITY;
  let inARow = 0;
  let pauses = 0;

  return {
    pausedMs: () => Math.max(0, Math.ceil(pausedUntil - now())),
    room(inHand) {
      if (now() < pausedUntil) return 0;
      if (pauses > 0) return inHand > 0 ? 0 : 1;
      return Number.POSITIVE_INFINITY;
    },
    accepted() {
      inARow = 0;
      pauses = 0;
    },
    failed(startedAt, retryAfterMs) {
      inARow += 1;
      if (retryAfterMs !== null) {
        pausedUntil = Math.max(pausedUntil, now() + retryAfterMs);
        pauses = Math.max(1, pauses);
        pausedAt = now();
        return;
      }
      // Calls that began before the pause give no new information.
      if (startedAt < pausedAt || (pauses === 0 && inARow < IN_A_ROW)) return;
      pauses += 1;
      pausedUntil = Math.max(pausedUntil, now() + backoffMs(pauseBackoff, pauses, random()));
      pausedAt = now();
    },
  };
}
