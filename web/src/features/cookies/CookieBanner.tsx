import { Box, chakra, Flex, Grid } from '@chakra-ui/react';
import { type ComponentProps, type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { announce } from '../../lib/state/announce.ts';
import {
  allCookies,
  type CookieChoice,
  firstChoice,
  necessaryOnly,
  storeCookieConsent,
} from '../../lib/state/cookie-consent.ts';
import { Switch } from '../../ui/form/Switch.tsx';
import { Button, TextLink } from '../../ui/parts/Button.tsx';
import { Heading, Muted } from '../../ui/parts/Card.tsx';
import { cookieCategories } from './stored-data.ts';

const Frame = chakra('section', {
  base: {
    position: 'fixed',
    insetX: '0',
    // Above the bar at a phone's lower edge, where there is one.
    bottom: 'var(--bottom-bar, 0px)',
    zIndex: 'bar',
    maxH: 'calc(100dvh - 4rem - var(--bottom-bar, 0px))',
    overflowY: 'auto',
    overscrollBehavior: 'contain',
    bg: 'panel',
    borderTopWidth: '1px',
    borderColor: 'line',
    boxShadow: 'pop',
    pb: 'env(safe-area-inset-bottom)',
    animation: 'fadeIn 200ms',
  },
});

/** The banner at the lower edge, with its preferences. @param isReopened whether the user opened it by a button */
export function CookieBanner({ isReopened }: { isReopened: boolean }) {
  const [isOpen, setIsOpen] = useState(false);
  const frame = useRef<HTMLElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const formerFocus = useRef<Element | null>(null);
  useReservedSpace(frame);

  useEffect(() => {
    if (!isReopened) return;
    formerFocus.current = document.activeElement;
    frame.current?.focus({ preventScroll: true });
  }, [isReopened]);

  const choose = (choice: CookieChoice) => {
    const goal = formerFocus.current ?? document.getElementById('main');
    storeCookieConsent(choice);
    announce('Your cookie choice is saved.');
    // The button that was pressed goes with the banner.
    setTimeout(() => goal instanceof HTMLElement && goal.focus({ preventScroll: true }));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen) return;
    setIsOpen(false);
    setTimeout(() => opener.current?.focus({ preventScroll: true }));
  };
  return (
    <Frame
      ref={frame}
      aria-label="Cookies"
      data-cookie-banner
      tabIndex={-1}
      onKeyDown={onKeyDown}
      _focusVisible={{ outlineOffset: '-2px' }}
    >
      <Box
        maxW="calc(var(--chakra-sizes-content) + 3rem)"
        mx="auto"
        px={{ base: isOpen ? '4' : '3', sm: '4', md: '6' }}
        py={{ base: isOpen ? '4' : '0', sm: '4', md: '5' }}
      >
        {isOpen ? (
          <CookiePreferences onChoose={choose} />
        ) : (
          <Flex
            direction={{ base: 'column', lg: 'row' }}
            align={{ lg: 'center' }}
            gap={{ base: '0', sm: '3', lg: '8' }}
            pb={{ base: '2.5', sm: '0' }}
          >
            {/* On phones one line: a question and its link. */}
            <Flex
              flex="1"
              wrap="wrap"
              align="center"
              justify="space-between"
              columnGap="2"
              fontSize={{ base: 'xs', sm: 'sm' }}
              display={{ base: 'flex', sm: 'block' }}
            >
              <chakra.p fontWeight="600">May we keep your settings?</chakra.p>
              <chakra.p color="muted" mt={{ sm: '0.5' }}>
                <chakra.span display={{ base: 'none', sm: 'inline' }}>
                  We store what is necessary to sign you in. The rest is your choice.{' '}
                </chakra.span>
                <TextLink
                  to="/privacy-policy"
                  display={{ base: 'inline-flex', sm: 'inline' }}
                  textDecoration="underline"
                >
                  What we store
                </TextLink>
              </chakra.p>
            </Flex>
            {/* Neither answer is emphasised. */}
            <Flex gap={{ base: '1.5', sm: '2.5' }} wrap="wrap">
              <RowButton ref={opener} variant="ghost" onClick={() => setIsOpen(true)}>
                Preferences
              </RowButton>
              <RowButton variant="outline" onClick={() => choose(necessaryOnly)}>
                Necessary Only
              </RowButton>
              <RowButton variant="outline" onClick={() => choose(allCookies)}>
                Accept All
              </RowButton>
            </Flex>
          </Flex>
        )}
      </Box>
    </Frame>
  );
}

/** One of three in a row, which fits the smallest phone; with larger text the row wraps. */
function RowButton(props: ComponentProps<typeof Button>) {
  return (
    <Button
      size="sm"
      flex={{ base: '1 1 auto', sm: '0 0 auto' }}
      px={{ base: '1', sm: '3.5' }}
      fontSize={{ base: 'clamp(0.75rem, 3.6vw, 0.875rem)', sm: 'sm' }}
      whiteSpace="nowrap"
      {...props}
    />
  );
}

/** Content behind the banner can be scrolled into view, focus never stops behind it, and toasts appear above it. */
function useReservedSpace(frame: React.RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    const root = document.documentElement;
    const measure = () => {
      const { top, height } = element.getBoundingClientRect();
      // On phones the bar at the lower edge is below the banner.
      const covered = `${Math.ceil(innerHeight - top)}px`;
      root.style.setProperty('--covered-below', covered);
      root.style.scrollPaddingBottom = `calc(${covered} + 1rem)`;
      document.body.style.paddingBottom = `${Math.ceil(height)}px`;
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    addEventListener('resize', measure);
    measure();
    return () => {
      observer.disconnect();
      removeEventListener('resize', measure);
      root.style.removeProperty('--covered-below');
      root.style.scrollPaddingBottom = '';
      document.body.style.paddingBottom = '';
    };
  }, [frame]);
}

/** The banner's panel: a switch for each category that can be refused. */
function CookiePreferences({ onChoose }: { onChoose: (choice: CookieChoice) => void }) {
  const [choice, setChoice] = useState(firstChoice);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus({ preventScroll: true }), []);
  return (
    <Box>
      <Heading ref={title} tabIndex={-1} size="md" borderRadius="4px">
        Cookie Preferences
      </Heading>
      <Grid templateColumns={{ base: '1fr', md: '1fr 1fr' }} columnGap="10" mt="2">
        {cookieCategories.map(({ category, name, text }) => (
          <Flex key={category} justify="space-between" align="center" gap="4" py="2.5">
            <Box minW="0">
              <Box fontWeight="600" fontSize="sm">
                {name}
              </Box>
              <Muted fontSize="xs">{text}</Muted>
            </Box>
            {category === 'necessary' ? (
              <Switch label={name} checked disabled onChange={() => undefined} />
            ) : (
              <Switch
                label={name}
                checked={choice[category]}
                onChange={(isOn) => setChoice({ ...choice, [category]: isOn })}
              />
            )}
          </Flex>
        ))}
      </Grid>
      <Flex gap="2.5" mt="3" wrap="wrap" direction={{ base: 'column', sm: 'row' }} justify="flex-end">
        <Button variant="outline" onClick={() => onChoose(necessaryOnly)}>
          Accept Necessary Only
        </Button>
        <Button variant="outline" onClick={() => onChoose(allCookies)}>
          Accept All
        </Button>
        <Button onClick={() => onChoose(choice)}>Save Preferences</Button>
      </Flex>
    </Box>
  );
}
