import { chakra, Flex } from '@chakra-ui/react';
import { Scale } from 'lucide-react';
import { announce } from '../../../lib/state/announce.ts';
import { forgetCompared, MAX_COMPARED, useComparedCars } from '../../../lib/state/compared-cars.ts';
import { Button, LinkButton } from '../../../ui/parts/Button.tsx';

const Tray = chakra('section', {
  base: {
    position: 'sticky',
    bottom: { base: 'calc(74px + env(safe-area-inset-bottom))', lg: '4' },
    zIndex: 'bar',
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: '3',
    mt: '4',
    px: '4',
    py: '2',
    bg: 'panel',
    borderWidth: '1px',
    borderColor: 'brand',
    borderRadius: 'card',
    boxShadow: 'pop',
    animation: 'fadeIn 200ms',
  },
});

/** The cars that are chosen to be compared, at the bottom of the screen; nothing while there is none. */
export function CompareTray() {
  const cars = useComparedCars();
  if (cars.length === 0) return null;
  const clear = () => {
    forgetCompared();
    announce('No car is chosen to be compared.');
    // The pressed button is gone.
    document.getElementById('main')?.focus({ preventScroll: true });
  };
  return (
    <Tray data-covers-foot aria-label="Cars to compare">
      <Flex align="center" gap="2.5" minW="0" fontSize="sm">
        <chakra.span color="brand" flexShrink={0}>
          <Scale size={17} aria-hidden />
        </chakra.span>
        <chakra.span fontWeight="600" whiteSpace="nowrap">
          {cars.length} of {MAX_COMPARED}
        </chakra.span>
        <chakra.span color="muted" truncate display={{ base: 'none', md: 'block' }}>
          {cars.map(({ title }) => title).join(', ')}
        </chakra.span>
      </Flex>
      <Flex gap="1.5" flexShrink={0}>
        <Button variant="ghost" size="sm" onClick={clear}>
          Clear
        </Button>
        {cars.length > 1 ? (
          <LinkButton size="sm" to={`/compare?ids=${cars.map(({ id }) => id).join(',')}`}>
            Compare {cars.length} cars
          </LinkButton>
        ) : (
          <chakra.span alignSelf="center" fontSize="sm" color="muted">
            Choose one more
          </chakra.span>
        )}
      </Flex>
    </Tray>
  );
}
