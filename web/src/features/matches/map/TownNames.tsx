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
    '& [data-kind=large] text': { fill: 'ink', fontWeight: '600' },
    '& [data-kind=state] text': {
      fontSize: '11px',
      fontWeight: '600',
      letterSpacing: '0.14em',
      textTransform: 'uppercase',
      opacity: 0.75,
    },
    '& circle': { fill: 'muted', stroke: 'panel', strokeWidth: '1px' },
  },
});

/** A town of the same name within this distance of the alert's place is the place itself. */
const SAME_PLACE_MILES = 15;

interface TownNamesProps {
  outlines: Outlines;
  /** The alert's place, which is always named. */
  place: string;
  toScreen: (at: Miles) => Miles;
  size: Size;
  markers: readonly Marker[];
}

/** What is drawn over the map's corners: the buttons and the scale. */
const corners = ({ width, height }: Size): Box[] => [
  [width - 62, 0, width, 156],
  [0, height - 36, 112, height],
];

/** The names of the largest towns in view, of the alert's place, and of the states where several are in view. */
export function TownNames({ outlines, place, toScreen, size, markers }: TownNamesProps) {
  const name = place.split(',')[0] ?? place;
  const center = { name, at: [0, 0] as Miles, population: Number.POSITIVE_INFINITY, state: '' };
  const towns = outlines.towns.filter((town) => town.name !== name || Math.hypot(...town.at) > SAME_PLACE_MILES);
  const marks = markers.map(({ x, y }): Box => [x - 30, y - 14, x + 30, y + 14]);
  const states = new Map(outlines.states?.boxes.map((state) => [state.id, state.name]));
  const labels = placeLabels({ center, towns, states }, toScreen, size, [...corners(size), ...marks]);
  return (
    <Names width={size.width} height={size.height} aria-hidden>
      {labels.map(({ kind, name, dot, text }) => (
        <g key={`${kind} ${name} ${dot?.join()}`} data-kind={kind}>
          {dot ? <circle cx={dot[0]} cy={dot[1]} r="2.5" /> : null}
          <text x={text[0]} y={text[1]}>
            {name}
          </text>
        </g>
      ))}
    </Names>
  );
}
