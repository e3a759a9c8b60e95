import { chakra } from '@chakra-ui/react';
import type { ScaleLinear, ScaleTime } from 'd3-scale';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { dollars } from '../../../lib/text/amounts.ts';

export const HEIGHT = 220;
export const margin = { top: 12, right: 26, bottom: 26, left: 58 };

/** The width of an element in px, which a chart is drawn for; 0 before it is known. */
export function useWidth<T extends HTMLElement>(): [RefObject<T | null>, number] {
  const element = useRef<T>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const shown = element.current;
    if (!shown) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(shown);
    return () => observer.disconnect();
  }, []);
  return [element, width];
}

const Grid = chakra('line', { base: { stroke: 'line', strokeWidth: '1' } });
const Tick = chakra('text', { base: { fill: 'muted', fontSize: '2xs', fontVariantNumeric: 'tabular-nums' } });

/** Dollars at the left, each with a line across. */
export function PriceAxis({ y, width }: { y: ScaleLinear<number, number>; width: number }) {
  return y.ticks(4).map((price) => (
    <g key={price} transform={`translate(0 ${y(price)})`}>
      <Grid x1={margin.left} x2={width - margin.right} />
      <Tick x={margin.left - 8} dy="0.32em" textAnchor="end">
        {dollars(price)}
      </Tick>
    </g>
  ));
}

interface BottomAxisProps<T extends number | Date> {
  ticks: readonly T[];
  x: (value: T) => number;
  words: (value: T) => string;
}

/** Mileages or days at the foot. */
export function BottomAxis<T extends number | Date>({ ticks, x, words }: BottomAxisProps<T>) {
  return ticks.map((tick) => (
    <Tick key={Number(tick)} x={x(tick)} y={HEIGHT - 8} textAnchor="middle">
      {words(tick)}
    </Tick>
  ));
}

export type TimeScale = ScaleTime<number, number>;

export const Frame = chakra('svg', { base: { display: 'block', overflow: 'visible', width: '100%' } });

export const Table = chakra('table', {
  base: {
    w: 'full',
    borderCollapse: 'collapse',
    fontVariantNumeric: 'tabular-nums',
    '& caption': { textAlign: 'left', color: 'ink', pb: '1' },
    '& th': { textAlign: 'left', fontWeight: '600', color: 'muted' },
    '& th, & td': { py: '1.5', pr: '3', borderBottomWidth: '1px', borderColor: 'line', verticalAlign: 'top' },
    '& td': { color: 'ink', overflowWrap: 'anywhere' },
    '& th:last-child, & td:last-child': { pr: '0', textAlign: 'right' },
  },
});
