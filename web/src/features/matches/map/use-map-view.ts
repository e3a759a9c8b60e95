import { select } from 'd3-selection';
import { type D3ZoomEvent, type ZoomBehavior, type ZoomTransform, zoom, zoomIdentity, zoomTransform } from 'd3-zoom';
import 'd3-transition';
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';

export interface Size {
  width: number;
  height: number;
}

export interface MapView {
  /** Pixels per mile as `k`, and the chart's center on the screen as `x` and `y`. */
  transform: ZoomTransform;
  zoomBy(factor: number): void;
  panBy(x: number, y: number): void;
  /** Shows the whole circle again. */
  fit(): void;
}

/** What the scale can be changed on: at once, or by and by. */
type Target = Parameters<ZoomBehavior<HTMLElement, unknown>['scaleBy']>[0];

const ANIMATION_MS = 220;
const MIN_MILES_SHOWN = 3;
const isStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Whether a gesture is for the map: the page is scrolled by one finger and by the wheel without Ctrl. */
function isForMap(event: MouseEvent | TouchEvent | WheelEvent): boolean {
  if (event instanceof WheelEvent) return event.ctrlKey || event.metaKey;
  if ('touches' in event) return event.touches.length > 1;
  if (event.target instanceof Element && event.type === 'dblclick' && event.target.closest('button')) return false;
  return event.button === 0 && !event.ctrlKey;
}

const wheelDelta = ({ deltaY, deltaMode }: WheelEvent): number => -deltaY * (deltaMode === 1 ? 0.05 : 0.004);

/** The view that shows a circle whole. @param miles its radius */
export function fittingTransform({ width, height }: Size, miles: number): ZoomTransform {
  const k = Math.min(width, height) / (2 * miles * 1.12);
  return zoomIdentity.translate(width / 2, height / 2).scale(k);
}

/** Keeps fingers that arrive while the page still scrolls from moving the map too: the browser lets nobody stop that. */
function leaveToPage(event: TouchEvent): void {
  if (event.touches.length > 1 && !event.cancelable) event.stopImmediatePropagation();
}

/**
 * Lets a chart be moved and zoomed by mouse, wheel, fingers and calls.
 * @param stage the element that takes the gestures, of this size
 * @param radius of the circle that is shown at first, in miles
 * @param reach how far from the center one may go, in miles
 */
export function useMapView(
  stage: RefObject<HTMLElement | null>,
  size: Size,
  { radius, reach }: { radius: number; reach: number },
): MapView {
  const [transform, setTransform] = useState(() => fittingTransform(size, radius));
  const isMoved = useRef(false);
  const former = useRef(size);
  const behaviour = useMemo(
    () =>
      zoom<HTMLElement, unknown>()
        .filter(isForMap)
        .wheelDelta(wheelDelta)
        .on('zoom', (event: D3ZoomEvent<HTMLElement, unknown>) => {
          if (event.sourceEvent) isMoved.current = true;
          setTransform(event.transform);
        }),
    [],
  );
  useEffect(() => {
    const element = stage.current;
    if (!element) return;
    const { width, height } = size;
    behaviour.extent([
      [0, 0],
      [width, height],
    ]);
    behaviour.scaleExtent([Math.max(width, height) / (1.9 * reach), Math.min(width, height) / MIN_MILES_SHOWN]);
    behaviour.translateExtent([
      [-reach, -reach],
      [reach, reach],
    ]);
    const target = select(element);
    element.addEventListener('touchmove', leaveToPage, { capture: true });
    target.call(behaviour);
    if (isMoved.current) {
      // What is in the middle stays there when the map's size changes.
      const middle = zoomTransform(element).invert([former.current.width / 2, former.current.height / 2]);
      target.call(behaviour.translateTo, ...middle);
    } else target.call(behaviour.transform, fittingTransform(size, radius));
    former.current = size;
    return () => {
      target.on('.zoom', null);
      element.removeEventListener('touchmove', leaveToPage, { capture: true });
    };
  }, [behaviour, stage, size, radius, reach]);

  const { k } = transform;
  return useMemo(() => {
    const animate = (moved: boolean, change: (target: Target) => void) => {
      if (!stage.current) return;
      isMoved.current = moved;
      const target = select<HTMLElement, unknown>(stage.current);
      change(isStill() ? target : target.transition().duration(ANIMATION_MS));
    };
    return {
      transform,
      zoomBy: (factor) => animate(true, (target) => behaviour.scaleBy(target, factor)),
      panBy: (x, y) => animate(true, (target) => behaviour.translateBy(target, x / k, y / k)),
      fit: () => animate(false, (target) => behaviour.transform(target, fittingTransform(size, radius))),
    };
  }, [behaviour, stage, size, radius, transform, k]);
}
