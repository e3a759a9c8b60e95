import { Box, chakra } from '@chakra-ui/react';
import { ChevronDown } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { milesAway, priceText } from '../../../lib/text/amounts.ts';
import type { MapPoint } from './map-documents.ts';
import { carsOf } from './markers.ts';

const Fold = chakra('details', {
  base: { borderTopWidth: '1px', borderColor: 'line', '&[open] > summary svg': { transform: 'rotate(180deg)' } },
});

const Summary = chakra('summary', {
  base: {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: '3',
    px: '4',
    minH: '44px',
    fontSize: 'xs',
    color: 'muted',
    cursor: 'pointer',
    listStyle: 'none',
    '&::-webkit-details-marker': { display: 'none' },
    '& svg': { transition: 'transform 150ms' },
    _focusVisible: { outline: '2px solid', outlineColor: 'brand', outlineOffset: '-3px', borderRadius: 'card' },
  },
});

const Table = chakra('table', {
  base: {
    w: 'full',
    fontSize: 'xs',
    fontVariantNumeric: 'tabular-nums',
    textAlign: 'left',
    '& th, & td': { py: '2', px: '2', _first: { ps: '4' }, _last: { pe: '4' } },
    '& th': { color: 'muted', fontWeight: '600' },
    '& tr': { borderTopWidth: '1px', borderColor: 'line' },
    '& :is(th, td):not(:first-of-type)': { textAlign: 'right', whiteSpace: 'nowrap' },
  },
});

/** The map in words, folded below it: how many cars are at which place. */
export function PlaceTable({ points, children }: { points: readonly MapPoint[]; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  if (points.length === 0) {
    return (
      <Box px="4" py="3" fontSize="xs" color="muted" borderTopWidth="1px" borderColor="line">
        {children}
      </Box>
    );
  }
  return (
    <Fold onToggle={(event) => setOpen(event.currentTarget.open)}>
      <Summary>
        <span>{children}</span>
        <chakra.span display="flex" alignItems="center" gap="1" color="brand" fontWeight="600" flexShrink={0}>
          As a table
          <ChevronDown size={15} aria-hidden />
        </chakra.span>
      </Summary>
      {isOpen ? (
        <Box maxH="260px" overflowY="auto" tabIndex={0} role="region" aria-label="Cars by place">
          <Table>
            <thead>
              <tr>
                <th scope="col">Place</th>
                <th scope="col">Cars</th>
                <th scope="col">From</th>
                <th scope="col">Distance</th>
              </tr>
            </thead>
            <tbody>
              {rowsOf(points).map(({ place, cars, from, distance }) => (
                <tr key={place}>
                  <td>{place}</td>
                  <td>{cars.toLocaleString('en-US')}</td>
                  <td>{from === null ? 'Not stated' : priceText(from)}</td>
                  <td>{milesAway(distance)}</td>
                </tr>
              ))}
            </tbody>
          </Table>
        </Box>
      ) : null}
    </Fold>
  );
}

interface PlaceRow {
  place: string;
  cars: number;
  /** The lowest price; null where none is stated. */
  from: number | null;
  distance: number;
}

/** One row for each place, nearest first. */
function rowsOf(points: readonly MapPoint[]): PlaceRow[] {
  const places = Map.groupBy(points, ({ place }) => place ?? 'Place not stated');
  return [...places]
    .map(([place, at]) => {
      const prices = at.flatMap(({ price }) => price ?? []);
      return {
        place,
        cars: carsOf(at).length,
        from: prices.length === 0 ? null : Math.min(...prices),
        distance: Math.min(...at.map((point) => point.distance)),
      };
    })
    .sort((a, b) => a.distance - b.distance);
}
