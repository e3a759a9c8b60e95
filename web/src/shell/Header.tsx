import { chakra, Flex } from '@chakra-ui/react';
import { Menu, Moon, Sun, X } from 'lucide-react';
import { type ComponentProps, lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import type { Viewer } from '../features/account/viewer.ts';
import { toggleColourMode, useColourMode } from '../lib/state/colour-mode.ts';
import { Button, LinkButton } from '../ui/parts/Button.tsx';
import { Logo, MarkBadge } from '../ui/parts/Logo.tsx';
import { Tooltip } from '../ui/parts/Tooltip.tsx';
import { VisuallyHidden } from '../ui/parts/VisuallyHidden.tsx';
import type { AccountMenu } from './AccountMenu.tsx';
import type { MobileMenu } from './MobileMenu.tsx';

interface HeaderProps {
  viewer: Viewer | null;
  loading: boolean;
  /** Whether payments and mails are simulated, which a pill says. */
  isTestMode: boolean;
}

/** The name with BETA, and the links or the menu for every page. */
export function Header({ viewer, loading, isTestMode }: HeaderProps) {
  const { pathname } = useLocation();
  const [isOpen, setIsOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const close = useCallback(() => setIsOpen(false), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed location closes the menu.
  useEffect(() => setIsOpen(false), [pathname]);
  return (
    <chakra.header position="sticky" top="0" zIndex="bar" bg="bg" borderBottomWidth="1px" borderColor="line">
      <Flex
        h="16"
        maxW="calc(var(--chakra-sizes-content) + 3rem)"
        mx="auto"
        px={{ base: '4', md: '6' }}
        align="center"
        justify="space-between"
        gap={{ base: '1', md: '4' }}
      >
        <Flex align="center" minW="0" gap={{ base: '0', md: '1' }}>
          <chakra.div display="inline-flex" alignItems="center" minH="44px" minW="0" borderRadius="field" asChild>
            <Link to="/">
              <Logo />
              <VisuallyHidden>, home</VisuallyHidden>
            </Link>
          </chakra.div>
          {isTestMode ? <TestPill /> : null}
        </Flex>
        {viewer ? (
          <chakra.span ml="auto" mr="-2">
            <Suspense fallback={<chakra.span display="inline-block" w="11" h="11" />}>
              <LazyBell />
            </Suspense>
          </chakra.span>
        ) : null}
        <Flex as="nav" aria-label="Account" align="center" gap="2" display={{ base: 'none', md: 'flex' }}>
          <ColourModeButton />
          {loading ? null : viewer ? (
            <>
              {pathname === '/' ? (
                <LinkButton to="/dashboard" variant="outline">
                  Dashboard
                </LinkButton>
              ) : null}
              <Suspense fallback={<chakra.span w="11" h="11" />}>
                <LazyAccountMenu viewer={viewer} />
              </Suspense>
            </>
          ) : pathname === '/auth' ? null : (
            <LinkButton to="/auth" variant="outline">
              Sign In
            </LinkButton>
          )}
        </Flex>
        <Button
          ref={opener}
          display={{ base: 'inline-flex', md: 'none' }}
          variant="ghost"
          size="icon"
          // Its bars end where the content does, not its target.
          mr="-2.5"
          aria-label={isOpen ? 'Close menu' : 'Open menu'}
          aria-expanded={isOpen}
          aria-controls="mobile-menu"
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? <X size={22} aria-hidden /> : <Menu size={22} aria-hidden />}
        </Button>
      </Flex>
      {isOpen ? (
        <Suspense fallback={null}>
          <LazyMobileMenu viewer={viewer} opener={opener} onClose={close} />
        </Suspense>
      ) : null}
    </chakra.header>
  );
}

const TEST_MODE = 'Test mode: nothing is charged, mail stays on this machine';

/** Outside production: leads to the mails and texts that were not sent. */
function TestPill() {
  return (
    <chakra.a
      href="/dev/outbox"
      aria-label={TEST_MODE}
      title={TEST_MODE}
      display="inline-flex"
      alignItems="center"
      justifyContent="center"
      flexShrink={0}
      minW="44px"
      minH="44px"
      // Its target reaches into the air beside it, or on the smallest phones BETA would have no room.
      mr="-1"
      borderRadius="field"
    >
      <MarkBadge tone="brand">TEST</MarkBadge>
    </chakra.a>
  );
}

function ColourModeButton() {
  const next = useColourMode() === 'dark' ? 'light' : 'dark';
  // Both are drawn, since the server knows no viewer's mode.
  return (
    <Tooltip text={`Switch to ${next} mode`}>
      <Button
        variant="ghost"
        size="icon"
        color="muted"
        aria-label={`Switch to ${next} mode`}
        onClick={toggleColourMode}
      >
        <chakra.span display={{ base: 'inline-flex', _dark: 'none' }}>
          <Moon size={18} aria-hidden />
        </chakra.span>
        <chakra.span display={{ base: 'none', _dark: 'inline-flex' }}>
          <Sun size={18} aria-hidden />
        </chakra.span>
      </Button>
    </Tooltip>
  );
}

/** Replaces the account menu if its code can't be loaded. */
function AccountLink({ viewer }: ComponentProps<typeof AccountMenu>) {
  return (
    <LinkButton to="/settings" variant="ghost" maxW="18ch">
      {viewer.username}
    </LinkButton>
  );
}

/** Replaces the menu on phones if its code can't be loaded. */
function PlainMenu({ viewer }: ComponentProps<typeof MobileMenu>) {
  return (
    <chakra.nav id="mobile-menu" aria-label="Menu" p="3" display={{ md: 'none' }}>
      <LinkButton to={viewer ? '/settings' : '/auth'} variant="outline" w="full">
        {viewer ? 'Settings' : 'Sign In'}
      </LinkButton>
    </chakra.nav>
  );
}

/** The bell, whose code is loaded after the page. Without it, the pages of settings and alerts lead to the notifications. */
const LazyBell = lazy(() =>
  import('./NotificationBell.tsx').then(
    (module) => ({ default: module.NotificationBell }),
    () => ({ default: () => <chakra.span display="inline-block" w="11" h="11" /> }),
  ),
);

/** The account menu, whose code is loaded after the page. */
const LazyAccountMenu = lazy(() =>
  import('./AccountMenu.tsx').then(
    (module): { default: typeof AccountLink } => ({ default: module.AccountMenu }),
    () => ({ default: AccountLink }),
  ),
);

/** The menu on phones, whose code is loaded when it is opened. */
const LazyMobileMenu = lazy(() =>
  import('./MobileMenu.tsx').then(
    (module): { default: typeof PlainMenu } => ({ default: module.MobileMenu }),
    () => ({ default: PlainMenu }),
  ),
);
