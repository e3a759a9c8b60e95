import { Box } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { markCars, unmarkCars, useMarkedOnMap } from '../../lib/state/marked-cars.ts';

/** The element of a car in the list of matches. */
export const carElementId = (carId: string): string => `car-${carId}`;

/** A car of the list that is marked on the map while it is pointed at, and here while its point is. */
export function MarkableCar({ carId, children }: { carId: string; children: ReactNode }) {
  const isMarked = useMarkedOnMap(carId);
  const mark = () => markCars([carId], 'list');
  return (
    <Box
      id={carElementId(carId)}
      tabIndex={-1}
      borderRadius="card"
      scrollMarginTop="6rem"
      outline={isMarked ? '2px solid' : 'none'}
      outlineColor="brand"
      outlineOffset="2px"
      _focusVisible={{ outline: '2px solid', outlineColor: 'brand' }}
      onPointerEnter={mark}
      onPointerLeave={({ pointerType }) => pointerType === 'mouse' && unmarkCars()}
      onFocus={mark}
      onBlur={unmarkCars}
    >
      {children}
    </Box>
  );
}
