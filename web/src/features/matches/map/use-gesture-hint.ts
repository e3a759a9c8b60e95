import { type RefObject, useEffect, useRef, useState } from 'react';

const SHOWN_MS = 2200;
const PAN_PX = 24;

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);
const WHEEL = `Hold ${isApple ? '⌘' : 'Ctrl'} and scroll to zoom`;
const TOUCH = 'Move the map with two fingers';

/**
 * Says how the map is moved, to somebody who tries what scrolls the page instead. About the wheel it says so only once,
 * since most who scroll over the map mean the page.
 */
export function useGestureHint(stage: RefObject<HTMLElement | null>): string | null {
  const [hint, setHint] = useState<string | null>(null);
  const wasShown = useRef(false);
  useEffect(() => {
    const element = stage.current;
    if (!element) return;
    const start = { x: 0, y: 0 };
    const onWheel = (event: WheelEvent) => {
      if (event.ctrlKey || event.metaKey || wasShown.current) return;
      wasShown.current = true;
      setHint(WHEEL);
    };
    const onTouchStart = ({ touches: [first] }: TouchEvent) => {
      if (first) Object.assign(start, { x: first.clientX, y: first.clientY });
    };
    const onTouchMove = ({ touches: [first, second] }: TouchEvent) => {
      if (!first || second) return;
      const [x, y] = [Math.abs(first.clientX - start.x), Math.abs(first.clientY - start.y)];
      if (x > PAN_PX && x > 1.5 * y) setHint(TOUCH);
    };
    const passive = { passive: true };
    element.addEventListener('wheel', onWheel, passive);
    element.addEventListener('touchstart', onTouchStart, passive);
    element.addEventListener('touchmove', onTouchMove, passive);
    return () => {
      element.removeEventListener('wheel', onWheel);
      element.removeEventListener('touchstart', onTouchStart);
      element.removeEventListener('touchmove', onTouchMove);
    };
  }, [stage]);
  useEffect(() => {
    if (hint === null) return;
    const timer = setTimeout(() => setHint(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [hint]);
  return hint;
}
