import { Box, chakra, Grid } from '@chakra-ui/react';
import { ChevronDown, ChevronUp, Map as MapIcon } from 'lucide-react';
import { lazy, type ReactNode, Suspense, startTransition, useEffect, useRef, useState } from 'react';
import { useDrawn } from '../../lib/state/drawn.ts';
import { makePreference } from '../../lib/state/preference.ts';
import { createStore, useStore } from '../../lib/state/store.ts';
import { isWide } from '../../lib/state/use-wide.ts';
import { whenIdle } from '../../lib/state/when-idle.ts';
import { Button } from '../../ui/parts/Button.tsx';
import { Card, Muted } from '../../ui/parts/Card.tsx';
import { Skeleton } from '../../ui/parts/states.tsx';
import type { MatchMapProps } from './map/MatchMap.tsx';

/** The map, whose code and outlines are loaded when it is first seen. */
const LazyMap = lazy(() =>
  import('./map/MatchMap.tsx').then(
    (module) => ({ default: module.MatchMap }),
    () => ({ default: MapMissing }),
  ),
);

function MapMissing() {
  return (
    <Card pad="md" role="alert">
      <Muted>The map could not be loaded. Reload the page to try again.</Muted>
    </Card>
  );
}

const preference = makePreference('lotwatch-map');
const choice = createStore(preference.read(), () => null);
const ID = 'match-map';

/**
 * Whether the map is shown: as the viewer chose, and else where there was room for it when the page was opened. A device
 * that is turned neither opens nor closes it, as either would move the list that is being read.
 */
function useMapOpen(): boolean | 'unknown' {
  const [hasRoom] = useState(isWide);
  const isDrawn = useDrawn();
  const chosen = useStore(choice);
  if (isDrawn) return 'unknown';
  return chosen === null ? hasRoom : chosen === 'open';
}

/** Where it is drawn, before the viewer's choice is known: by the room there is. `public/start.js` knows a choice at once. */
const drawnPane = {
  hideBelow: 'md',
  css: {
    'html[data-map=open] &': { display: 'block' },
    'html[data-map=closed] &': { display: 'none' },
  },
} as const;

export function MapToggle() {
  const isOpen = useMapOpen();
  const Chevron = isOpen === true ? ChevronUp : ChevronDown;
  const toggle = () => {
    const next = isOpen === true ? 'closed' : 'open';
    preference.remember(next);
    choice.set(next);
  };
  return (
    <Button
      variant="outline"
      size="sm"
      aria-label="Map"
      aria-expanded={isOpen === true}
      aria-controls={isOpen === true ? ID : undefined}
      onClick={toggle}
    >
      <MapIcon size={16} aria-hidden />
      <chakra.span hideBelow="md">Map</chakra.span>
      <Chevron size={15} aria-hidden />
    </Button>
  );
}

/** The matches below their map, or beside it where there is room. What is open in the list stays so without the map. */
export function WithMap({ isReady, children, ...map }: MatchMapProps & { isReady: boolean; children: ReactNode }) {
  const isOpen = useMapOpen();
  return (
    <Grid
      gap="5"
      alignItems="start"
      templateColumns={{ base: 'minmax(0, 1fr)', xl: isOpen ? 'minmax(0, 1fr) 380px' : undefined }}
      css={{
        ...(isOpen && { xl: { '--card-photo': '160px' } }),
        ...(isOpen === 'unknown' && {
          'html[data-map=closed] &': { gridTemplateColumns: 'minmax(0, 1fr)', '--card-photo': 'initial' },
        }),
      }}
    >
      {isOpen ? (
        <Box
          id={ID}
          order={{ xl: '1' }}
          minW="0"
          position={{ xl: 'sticky' }}
          top={{ xl: '5.5rem' }}
          {...(isOpen === 'unknown' && drawnPane)}
        >
          <WhenSeen isReady={isReady}>
            <LazyMap {...map} />
          </WhenSeen>
        </Box>
      ) : null}
      <Box minW="0">{children}</Box>
    </Grid>
  );
}

/** The map is there after this time also on a page that is never idle. */
const MAP_WITHIN_MS = 3000;

/** Shows its children once it comes near the screen, the list is there, and the page has nothing else to do. */
function WhenSeen({ isReady, children }: { isReady: boolean; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (!box.current || isSeen || !isReady) return;
    let callOff: (() => void) | undefined;
    const show = () => startTransition(() => setSeen(true));
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) callOff ??= whenIdle(show, MAP_WITHIN_MS);
      },
      { rootMargin: '200px 0px' },
    );
    observer.observe(box.current);
    return () => {
      observer.disconnect();
      callOff?.();
    };
  }, [isSeen, isReady]);
  const space = <Skeleton h={{ base: '366px', md: '406px', xl: '466px' }} borderRadius="card" />;
  return <div ref={box}>{isSeen ? <Suspense fallback={space}>{children}</Suspense> : space}</div>;
}
