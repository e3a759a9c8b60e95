import { chakra } from '@chakra-ui/react';
import type { Box, Miles } from './chart.ts';
import type { Marker } from './markers.ts';
import { placeLabels } from './town-labels.ts';
import type { Size } from './use-map-view.ts';
import type { Outlines } from './use-outlines.ts';

const Names = chakra('svg', {
  base: {
    position: 'absolute',
    inset: '0',
    pointerEvents: 'none',
    fontSize: '12px',
    textAnchor: 'middle',
    '& text': { fill: 'muted', stroke: 'panel', strokeWidth: '3px', paintOrder: 'stroke', strokeLinejoin: 'round' },
    '& text[data-large]': { fill: 'ink', fontWeight: '600' },
    '& circle': { fill: 'muted', stroke: 'panel', strokeWidth: '1px' },
  },
});

interface TownNamesProps {
  outlines: Outlines;
  /** The alert's place, which is always named. */
  place: string;
  toScreen: (at: Miles) => Miles;
  size: Size;
  markers: readonly Marker[];
}

/** The names of the largest towns in view, and of the alert's place. */
export function TownNames({ outlines, place, toScreen, size, markers }: TownNamesProps) {
  const center = { name: place.split(',')[0] ?? place, at: [0, 0] as Miles, population: Number.POSITIVE_INFINITY };
  const others = outlines.towns.filter(({ name, at: [x, y] }) => name !== center.name || Math.hypot(x, y) > 15);
  const obstacles = markers.map(({ x, y }): Box => [x - 30, y - 14, x + 30, y + 14]);
  const labels = placeLabels([center, ...others], toScreen, size, obstacles);
  return (
    <Names width={size.width} height={size.height} aria-hidden>
      {labels.map(({ name, dot, text, isLarge }) => (
        <g key={`${name} ${dot[0]} ${dot[1]}`}>
          <circle cx={dot[0]} cy={dot[1]} r="2.5" />
          <text x={text[0]} y={text[1]} data-large={isLarge || undefined}>
            {name}
          </text>
        </g>
      ))}
    </Names>
  );
}
