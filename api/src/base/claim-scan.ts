import { isCanceled } from './database-fault.ts';

/** A scan of the whole index that takes longer than this is slow, whatever is usual. */
const LONG_MS = 5;
/** So is one that takes so many times as long as usual, and so much longer that it is no chance. */
const SLOWER = 1.5;
const NOTICEABLE_MS = 0.5;
/** After a slow scan of the whole index the next one comes after so many times its time, so that they take a twentieth of all time at most while one takes up to 100 ms. */
const REST = 20;
/** At least, so that most claims of a process that claims a few times a second are quick. */
const MIN_REST_MS = 1_000;
const MAX_REST_MS = 2_000;
/** At most after two in a row that took so long that the server cancelled them, as nothing is claimed meanwhile. */
const MAX_CANCELED_REST_MS = 120_000;
/** The quickest of so many counts, as any one of them may have waited for the processor. */
const KEPT = 10;

/**
 * Where claims begin to read the index of what waits. As long as somebody holds an old snapshot, as a backup does, the entries
 * of rows that no longer wait stay in it, and a claim from its beginning would pass all of them. While that is slow, most
 * claims begin where the last one found something, and a claim from the beginning is made from time to time, which finds what
 * came to wait behind that place.
 */
export class ClaimScan<Place> {
  private place: Place | null = null;
  private readonly wholeMs: number[] = [];
  /** How quick scans of the whole index have been. */
  private usualMs = Number.POSITIVE_INFINITY;
  /** By `performance.now()`. */
  private wholeAt = 0;
  private wasCanceled = false;

  /** How long it takes until the next claim reads the whole index; null where every claim does. */
  get restMs(): number | null {
    const ms = this.wholeAt - performance.now();
    return ms > 0 ? ms : null;
  }

  /** Where the next claim begins; null for the beginning of the index. */
  next(): Place | null {
    return this.restMs === null ? null : this.place;
  }

  /**
   * To be called after a claim.
   * @param from where it began @param ms how long it took @param place what stands before it does not wait; null: as before
   */
  done(from: Place | null, ms: number, place: Place | null): void {
    this.place = place ?? this.place;
    if (from !== null) return;
    this.wasCanceled = false;
    this.wholeMs.push(ms);
    if (this.wholeMs.length > KEPT) this.wholeMs.shift();
    if (this.wholeMs.length < KEPT) return;
    const quickest = Math.min(...this.wholeMs);
    this.usualMs = Math.min(this.usualMs, quickest);
    const isSlow = quickest > Math.min(LONG_MS, this.usualMs * SLOWER + NOTICEABLE_MS);
    if (isSlow) this.rest(quickest, MAX_REST_MS);
    else this.wholeAt = 0;
  }

  /**
   * To be called after a claim that failed. One of the whole index that the server cancelled counts as slow at once; a second
   * one after it was not slow by chance, and the next takes as long again.
   * @param from where it began @param ms how long it took @throws the error
   */
  failed(from: Place | null, ms: number, error: unknown): never {
    if (from === null && isCanceled(error)) {
      this.rest(ms, this.wasCanceled ? MAX_CANCELED_REST_MS : MAX_REST_MS);
      this.wasCanceled = true;
    }
    throw error;
  }

  private rest(ms: number, mostMs: number): void {
    this.wholeAt = performance.now() + Math.min(mostMs, Math.max(MIN_REST_MS, ms * REST));
  }
}
