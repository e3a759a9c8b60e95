import { whenIdle } from '../lib/state/when-idle.ts';

/** What arrives within this time of other matches is shown with them. */
const MIN_GAP_MS = 500;
/** A match waits no longer, however slow the device is. */
const MAX_GAP_MS = 2000;
/** Of the time between two showings, the part that showing may take. */
const SHARE = 1 / 4;
/** After a press, what comes waits until the answer to it is drawn. */
const PRESS_MS = 150;

interface Paced<T> {
  add(item: T): void;
  /** Shows all that waits. */
  showNow(): void;
  stop(): void;
}

const presses = ['pointerdown', 'keydown', 'click'] as const;

/**
 * Shows what arrives: the first at once, and what follows together with others, so rarely that most of the time is left for
 * presses, which come first.
 */
export function showPaced<T>(show: (items: T[]) => void): Paced<T> {
  const waiting: T[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waitsSince = 0;
  let nextAt = Number.NEGATIVE_INFINITY;
  let pressedAt = Number.NEGATIVE_INFINITY;

  function plan(): void {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.length === 0) return;
    const now = performance.now();
    const waitMs = Math.min(Math.max(nextAt, pressedAt + PRESS_MS), waitsSince + MAX_GAP_MS) - now;
    if (waitMs <= 0) showNow();
    else timer = setTimeout(plan, waitMs);
  }

  function showNow(): void {
    clearTimeout(timer);
    timer = undefined;
    const items = waiting.splice(0);
    if (items.length === 0) return;
    const began = performance.now();
    nextAt = began + MAX_GAP_MS;
    show(items);
    whenIdle(() => {
      const took = performance.now() - began;
      nextAt = began + Math.min(MAX_GAP_MS, Math.max(MIN_GAP_MS, took / SHARE));
      plan();
    }, MAX_GAP_MS);
  }

  const onPress = () => {
    pressedAt = performance.now();
  };
  for (const name of presses) globalThis.addEventListener?.(name, onPress, { capture: true, passive: true });
  return {
    add(item) {
      if (waiting.length === 0) waitsSince = performance.now();
      waiting.push(item);
      if (timer === undefined) plan();
    },
    showNow,
    stop() {
      clearTimeout(timer);
      waiting.length = 0;
      for (const name of presses) globalThis.removeEventListener?.(name, onPress, { capture: true });
    },
  };
}
