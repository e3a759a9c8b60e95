import { useQuery } from '@apollo/client/react';
import { Box, Flex } from '@chakra-ui/react';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { ListFilter } from '../../../gql/graphql.ts';
import { readFault } from '../../../lib/server/faults/errors.ts';
import { useFailure } from '../../../lib/server/faults/use-failure.ts';
import { useHiddenCars } from '../../../lib/state/hidden-cars.ts';
import { miles } from '../../../lib/text/amounts.ts';
import { Button } from '../../../ui/parts/Button.tsx';
import { Card, Muted } from '../../../ui/parts/Card.tsx';
import { LoadingNote, Skeleton } from '../../../ui/parts/states.tsx';
import { MapStage } from './MapStage.tsx';
import { type MapPoint, MatchMapDocument } from './map-documents.ts';
import { mapHeight } from './map-height.ts';
import { carsOf } from './markers.ts';
import { PlaceCars } from './PlaceCars.tsx';
import { PlaceTable } from './PlaceTable.tsx';

/** How long arriving matches are collected before the map is read again. */
const COLLECT_MS = 1000;

export interface MatchMapProps {
  alert: { id: string; place: string; radius: number };
  /** The filters of the list, which leave the same cars here. */
  only: readonly ListFilter[];
  /** Changes when matches arrive. */
  newest: string;
}

/** The radius of an alert and its matches on a map of our own outlines, with the same as a table. */
export function MatchMap({ alert, only, newest }: MatchMapProps) {
  const result = useQuery(MatchMapDocument, {
    variables: { alertId: alert.id, ...(only.length > 0 && { only: [...only] }) },
    fetchPolicy: 'cache-and-network',
  });
  const error = useFailure(result);
  useRefetchOnChange(newest, () => result.refetch());
  const hidden = useHiddenCars();
  // The cars of the filters before are shown until the server has answered.
  const map = (error ? result.data : (result.data ?? result.previousData))?.matchMap;
  const points = useMemo(() => map?.points.filter(({ carId }) => !hidden.has(carId)) ?? [], [map, hidden]);
  const [openKeys, setOpenKeys] = useState<ReadonlySet<string>>(new Set());
  const opener = useRef<HTMLElement>(null);
  const opened = points.filter(({ listingId }) => openKeys.has(listingId));
  const open = (at: readonly MapPoint[], button: HTMLElement | null) => {
    opener.current = button;
    setOpenKeys(new Set(at.map(({ listingId }) => listingId)));
  };
  const close = () => {
    setOpenKeys(new Set());
    opener.current?.focus();
  };
  if (!map) return error ? <MapFailed error={error} retry={() => void result.refetch()} /> : <MapLoading />;
  return (
    <Card as="section" aria-label="Map" pad="none" overflow="hidden" display="flex" flexDirection="column">
      <MapStage alert={alert} center={map} points={points} opened={openKeys} onOpen={open} />
      {opened.length > 0 ? <PlaceCars key={[...openKeys].join()} points={opened} onClose={close} /> : null}
      <PlaceTable points={points}>{summary(points, alert, only.length > 0)}</PlaceTable>
    </Card>
  );
}

function summary(
  points: readonly MapPoint[],
  { place, radius }: { place: string; radius: number },
  isFiltered: boolean,
): string {
  const cars = carsOf(points).length;
  const within = `within ${miles(radius)} of ${place}`;
  if (cars === 0) return isFiltered ? `No car is left by the filters ${within}` : `No cars yet ${within}`;
  return `${cars === 1 ? '1 car' : `${cars.toLocaleString('en-US')} cars`} ${within}`;
}

function useRefetchOnChange(key: string, refetch: () => Promise<unknown>): void {
  const known = useRef(key);
  const latest = useRef(refetch);
  latest.current = refetch;
  useEffect(() => {
    if (known.current === key) return;
    known.current = key;
    // The matches that are shown stay when it fails.
    const timer = setTimeout(() => latest.current().catch(() => undefined), COLLECT_MS);
    return () => clearTimeout(timer);
  }, [key]);
}

export function MapLoading() {
  return (
    <Card pad="none" overflow="hidden">
      <LoadingNote>Loading the map</LoadingNote>
      <Skeleton h={mapHeight} borderRadius="0" />
      <Box h="12" />
    </Card>
  );
}

function MapFailed({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <Card pad="md" role="alert">
      <Flex direction="column" align="center" justify="center" gap="3" textAlign="center" minH="180px">
        <Box fontWeight="600">The map could not be loaded</Box>
        <Muted>{readFault(error).message}</Muted>
        <Button variant="outline" size="sm" onClick={retry}>
          Try Again
        </Button>
      </Flex>
    </Card>
  );
}
