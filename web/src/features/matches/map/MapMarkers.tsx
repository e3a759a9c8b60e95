import { chakra } from '@chakra-ui/react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { markCars, unmarkCars, useMarkedCars } from '../../../lib/state/marked-cars.ts';
import { milesAway, priceText } from '../../../lib/text/amounts.ts';
import type { MapPoint } from './map-documents.ts';
import { bestOffers, carsOf, type Marker } from './markers.ts';

const Mark = chakra('button', {
  base: {
    position: 'absolute',
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'center',
    minW: '28px',
    h: '28px',
    px: '2',
    borderRadius: 'full',
    borderWidth: '2px',
    borderColor: 'panel',
    bg: 'brand',
    color: 'onBrand',
    boxShadow: 'card',
    fontSize: '2xs',
    fontWeight: '650',
    fontVariantNumeric: 'tabular-nums',
    lineHeight: '1',
    whiteSpace: 'nowrap',
    cursor: 'pointer',
    transform: 'translate(-50%, -50%)',
    transition: 'background 150ms',
    // Fingers need more room than the mark takes.
    _before: { content: '""', position: 'absolute', inset: '-9px' },
    '&[data-marked], &[aria-expanded=true]': { bg: 'ink', color: 'bg', zIndex: '1' },
    '&[data-ended]': { bg: 'sunk', color: 'muted', borderColor: 'fieldLine' },
    _focusVisible: { outline: '2px solid', outlineColor: 'brand', outlineOffset: '2px', zIndex: '1' },
  },
});

const Marks = chakra('ul', { base: { listStyle: 'none' } });

interface MapMarkersProps {
  markers: readonly Marker[];
  opened: ReadonlySet<string>;
  onOpen: (points: readonly MapPoint[], button: HTMLElement) => void;
}

/** The cars on the map: one stop of Tab, in which the arrow keys lead to the next mark in their direction. */
export function MapMarkers({ markers, opened, onOpen }: MapMarkersProps) {
  const list = useRef<HTMLUListElement>(null);
  const { ids } = useMarkedCars();
  const [current, setCurrent] = useState('');
  const stop = markers.some(({ key }) => key === current) ? current : markers[0]?.key;
  const onKeyDown = (event: KeyboardEvent, from: Marker) => {
    const direction = directions[event.key];
    if (!direction) return;
    event.preventDefault();
    const next = nextMarker(markers, from, direction);
    if (!next) return;
    setCurrent(next.key);
    list.current?.querySelector<HTMLElement>(`[data-key="${next.key}"]`)?.focus();
  };
  return (
    <Marks ref={list} aria-label="Cars on the map">
      {markers.map((marker) => (
        <li key={marker.key}>
          <Mark
            type="button"
            data-key={marker.key}
            data-marked={marker.points.some(({ carId }) => ids.has(carId)) || undefined}
            data-ended={marker.points.every(({ status }) => status !== 'for_sale') || undefined}
            aria-label={markerName(marker)}
            aria-expanded={marker.points.some(({ listingId }) => opened.has(listingId))}
            tabIndex={marker.key === stop ? 0 : -1}
            style={{ left: marker.x, top: marker.y }}
            onClick={(event) => onOpen(marker.points, event.currentTarget)}
            onKeyDown={(event) => onKeyDown(event, marker)}
            onFocus={() => {
              setCurrent(marker.key);
              markCars(carsOf(marker.points), 'map');
            }}
            onBlur={unmarkCars}
            onPointerEnter={() => markCars(carsOf(marker.points), 'map')}
            onPointerLeave={unmarkCars}
          >
            {markerText(marker)}
          </Mark>
        </li>
      ))}
    </Marks>
  );
}

/** What a mark shows: the price of one car, or the number of several. */
function markerText({ cars, points }: Marker): string {
  if (cars > 1) return cars.toLocaleString('en-US');
  const [first] = bestOffers(points);
  return first?.price == null ? '1' : priceText(first.price);
}

function markerName({ cars, spots, points }: Marker): string {
  const [first] = bestOffers(points);
  const place = first?.place ?? 'a place that is not stated';
  if (cars > 1) return `${cars.toLocaleString('en-US')} cars ${spots > 1 ? 'around' : 'in'} ${place}`;
  if (!first) return '';
  const name = `${first.title}, ${priceText(first.price)}, ${place}, ${milesAway(first.distance)}`;
  // The name begins with what is seen, so that it can be spoken.
  return first.price == null ? `1 car: ${name}` : name;
}

const directions: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The nearest mark in a direction; what lies beside it counts as farther away. */
function nextMarker(markers: readonly Marker[], from: Marker, [dx, dy]: readonly [number, number]): Marker | undefined {
  const far = (marker: Marker) => {
    const [x, y] = [marker.x - from.x, marker.y - from.y];
    const along = x * dx + y * dy;
    return along <= 0 ? Number.POSITIVE_INFINITY : along + 2 * Math.abs(x * dy + y * dx);
  };
  const nearest = markers.reduce<Marker | undefined>(
    (best, marker) => (far(marker) < (best ? far(best) : Number.POSITIVE_INFINITY) ? marker : best),
    undefined,
  );
  return nearest;
}
