import { Box, chakra, Flex } from '@chakra-ui/react';
import { Maximize, Minus, Plus } from 'lucide-react';
import { type KeyboardEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Button } from '../../../ui/parts/Button.tsx';
import { type Chart, type Miles, makeChart } from './chart.ts';
import { MapMarkers } from './MapMarkers.tsx';
import type { MapPoint } from './map-documents.ts';
import { mapHeight } from './map-height.ts';
import { groupPoints, joinSpots, type Marker } from './markers.ts';
import { Outlines } from './Outlines.tsx';
import { scaleBarMiles } from './scale-bar.ts';
import { TownNames } from './TownNames.tsx';
import { useGestureHint } from './use-gesture-hint.ts';
import { type MapView, type Size, useMapView } from './use-map-view.ts';
import { useOutlines } from './use-outlines.ts';

/** From the center, one may go six radii far, and at least these miles. */
const MIN_REACH = 150;
const PAN_PX = 80;
const ZOOM = 1.7;

interface MapStageProps {
  alert: { place: string; radius: number };
  center: { latitude: number; longitude: number };
  points: readonly MapPoint[];
  /** Listings of the mark that is open. */
  opened: ReadonlySet<string>;
  onOpen: (points: readonly MapPoint[], button: HTMLElement) => void;
}

/** The map itself, once its size is known. */
export function MapStage(props: MapStageProps) {
  const box = useRef<HTMLDivElement>(null);
  const size = useSize(box);
  const { latitude, longitude } = props.center;
  const reach = Math.max(6 * props.alert.radius, MIN_REACH);
  // The corners of the view are farther away than its sides.
  const chart = useMemo(() => makeChart({ latitude, longitude }, reach * 1.45), [latitude, longitude, reach]);
  return (
    <Box ref={box} position="relative" h={mapHeight} bg="sunk" overflow="hidden">
      {size ? <SizedStage {...props} chart={chart} size={size} reach={reach} /> : null}
    </Box>
  );
}

const Surface = chakra('div', {
  base: {
    position: 'absolute',
    inset: '0',
    overflow: 'hidden',
    cursor: 'grab',
    userSelect: 'none',
    // One finger scrolls the page, two move the map.
    touchAction: 'pan-x pan-y',
    _active: { cursor: 'grabbing' },
    _focusVisible: { outline: '2px solid', outlineColor: 'brand', outlineOffset: '-3px', borderTopRadius: 'card' },
  },
});

function SizedStage({
  alert,
  points,
  opened,
  onOpen,
  chart,
  size,
  reach,
}: MapStageProps & { chart: Chart; size: Size; reach: number }) {
  const stage = useRef<HTMLDivElement>(null);
  const view = useMapView(stage, size, { radius: alert.radius, reach });
  const { transform } = view;
  const hint = useGestureHint(stage);
  const outlines = useOutlines(chart, transform, size);
  const spots = useMemo(() => groupPoints(points, chart.at), [points, chart]);
  const toScreen = ([x, y]: Miles): Miles => [transform.applyX(x), transform.applyY(y)];
  const markers = joinSpots(spots, toScreen).filter((marker) => isInView(marker, size));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== stage.current || !moveByKey(event.key, view)) return;
    event.preventDefault();
  };
  return (
    <>
      <Surface
        ref={stage}
        tabIndex={0}
        role="group"
        aria-roledescription="map"
        aria-label={`Map around ${alert.place}. Arrow keys move it, plus and minus zoom, 0 shows the whole circle.`}
        onKeyDown={onKeyDown}
      >
        <Outlines outlines={outlines} transform={transform} size={size} radius={alert.radius} />
        <TownNames outlines={outlines} place={alert.place} toScreen={toScreen} size={size} markers={markers} />
        <MapMarkers markers={markers} opened={opened} onOpen={onOpen} />
      </Surface>
      <Controls view={view} />
      <ScaleBar pixelsPerMile={transform.k} />
      {hint ? <Hint>{hint}</Hint> : null}
    </>
  );
}

const isInView = ({ x, y }: Marker, { width, height }: Size): boolean =>
  x > -10 && y > -10 && x < width + 10 && y < height + 10;

/** @returns whether the key is one of the map's */
function moveByKey(key: string, view: MapView): boolean {
  const moves: Record<string, () => void> = {
    ArrowLeft: () => view.panBy(PAN_PX, 0),
    ArrowRight: () => view.panBy(-PAN_PX, 0),
    ArrowUp: () => view.panBy(0, PAN_PX),
    ArrowDown: () => view.panBy(0, -PAN_PX),
    '+': () => view.zoomBy(ZOOM),
    '=': () => view.zoomBy(ZOOM),
    '-': () => view.zoomBy(1 / ZOOM),
    '0': view.fit,
  };
  const move = Object.hasOwn(moves, key) ? moves[key] : undefined;
  move?.();
  return move !== undefined;
}

function Controls({ view }: { view: MapView }) {
  const buttons = [
    { label: 'Zoom in', icon: Plus, onClick: () => view.zoomBy(ZOOM) },
    { label: 'Zoom out', icon: Minus, onClick: () => view.zoomBy(1 / ZOOM) },
    { label: 'Show the whole circle', icon: Maximize, onClick: view.fit },
  ];
  return (
    <Flex direction="column" gap="1.5" position="absolute" top="2.5" right="2.5">
      {buttons.map(({ label, icon: Icon, onClick }) => (
        <Button
          key={label}
          variant="outline"
          aria-label={label}
          title={label}
          onClick={onClick}
          w={{ base: '44px', md: '36px' }}
          h={{ base: '44px', md: '36px' }}
          minH="0"
          p="0"
          boxShadow="card"
        >
          <Icon size={16} aria-hidden />
        </Button>
      ))}
    </Flex>
  );
}

/** For those who use a pointer; keys are explained in the name of the map. */
function Hint({ children }: { children: string }) {
  return (
    <Flex position="absolute" inset="0" align="center" justify="center" pointerEvents="none" aria-hidden>
      <Box
        bg="ink"
        color="bg"
        borderRadius="full"
        px="4"
        py="2"
        fontSize="sm"
        fontWeight="600"
        animation="fadeIn 200ms"
      >
        {children}
      </Box>
    </Flex>
  );
}

const BAR_PX = 90;

function ScaleBar({ pixelsPerMile }: { pixelsPerMile: number }) {
  const length = scaleBarMiles(pixelsPerMile, BAR_PX);
  return (
    <Box
      aria-hidden
      position="absolute"
      left="3"
      bottom="2.5"
      pointerEvents="none"
      fontSize="2xs"
      fontWeight="600"
      lineHeight="1.1"
      color="muted"
      textAlign="center"
      borderWidth="0 2px 2px"
      borderColor="muted"
      pb="0.5"
      style={{ width: length * pixelsPerMile }}
    >
      {length} mi
    </Box>
  );
}

/** The size of an element's content; null until it is known. */
function useSize(box: React.RefObject<HTMLElement | null>): Size | null {
  const [size, setSize] = useState<Size | null>(null);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return size && size.width > 0 ? size : null;
}
