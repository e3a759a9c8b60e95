import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { announce } from '../../lib/state/announce.ts';

/** A finger that moved less did not mean it. */
const swipePx = 40;

interface Gallery {
  /** What is shown; undefined when no photo is whole. */
  source: string | undefined;
  /** Its place, from 0. */
  at: number;
  count: number;
  turn(by: 1 | -1): void;
  leaveOut(source: string): void;
  /** For the element around the photo: arrow keys and swipes turn it. */
  handlers: {
    onKeyDown(event: KeyboardEvent): void;
    onPointerDown(event: PointerEvent): void;
    onPointerUp(event: PointerEvent): void;
    onPointerCancel(): void;
  };
}

/** Fetches a photo before it is asked for, as its card would. */
function fetchAhead(source: string | undefined): void {
  if (source === undefined) return;
  const image = new Image();
  image.referrerPolicy = 'no-referrer';
  image.src = source;
}

/** Turns a listing's photos; broken ones are left out. Only those that are looked at are fetched, and the one after. */
export function useGallery(images: readonly string[]): Gallery {
  const [index, setIndex] = useState(0);
  const [broken, setBroken] = useState<ReadonlySet<string>>(new Set());
  const startX = useRef<number | null>(null);
  const whole = images.filter((image) => !broken.has(image));
  const count = whole.length;
  const at = Math.min(index, Math.max(0, count - 1));

  const turn = (by: 1 | -1) => {
    if (count < 2) return;
    const next = (at + by + count) % count;
    setIndex(next);
    announce(`Photo ${next + 1} of ${count}`);
    fetchAhead(whole[(next + by + count) % count]);
  };

  return {
    source: whole[at],
    at,
    count,
    turn,
    leaveOut: (source) => setBroken((before) => new Set(before).add(source)),
    handlers: {
      onKeyDown(event) {
        if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
        event.preventDefault();
        turn(event.key === 'ArrowRight' ? 1 : -1);
      },
      onPointerDown(event) {
        startX.current = event.pointerType === 'mouse' ? null : event.clientX;
      },
      onPointerUp(event) {
        const movedPx = startX.current === null ? 0 : event.clientX - startX.current;
        startX.current = null;
        if (Math.abs(movedPx) >= swipePx) turn(movedPx < 0 ? 1 : -1);
      },
      onPointerCancel() {
        startX.current = null;
      },
    },
  };
}
