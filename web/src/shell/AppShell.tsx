import { chakra, Flex } from '@chakra-ui/react';
import { type ComponentType, lazy, Suspense, useEffect, useRef } from 'react';
import { Outlet, useLocation } from 'react-router-dom';
import { ConfirmEmailBanner } from '../features/account/ConfirmEmailBanner.tsx';
import { useViewer } from '../features/account/viewer.ts';
import { CookieNotice } from '../features/cookies/CookieNotice.tsx';
import { forgetOffline } from '../lib/server/offline/offline-link.ts';
import { isTestMode, useSite } from '../lib/server/site.ts';
import { type PasswordQuestion, passwordQuestion } from '../lib/state/password-question.ts';
import { useStore } from '../lib/state/store.ts';
import { toast } from '../lib/state/toasts.ts';
import { Toasts } from '../ui/parts/Toasts.tsx';
import { Announcer } from '../ui/parts/VisuallyHidden.tsx';
import { BottomBar } from './BottomBar.tsx';
import { Footer } from './Footer.tsx';
import { Header } from './Header.tsx';
import { KeptScroll } from './KeptScroll.tsx';

const SkipLink = chakra('a', {
  base: {
    position: 'absolute',
    left: '4',
    top: '-100px',
    zIndex: 'skip',
    px: '4',
    py: '3',
    borderRadius: 'field',
    bg: 'brand',
    color: 'onBrand',
    fontWeight: '600',
    _focus: { top: '2' },
  },
});

/** The frame of every page: banners, header, footer, bottom bar, toasts. */
export function AppShell() {
  const { viewer, loading, error } = useViewer();
  const isVisitor = viewer === null && !loading && error === undefined;
  useEffect(() => {
    // A session may have ended while no page was open.
    if (isVisitor) void forgetOffline();
  }, [isVisitor]);
  const site = useSite();
  const { pathname } = useLocation();
  const main = useFocusOnNewPage(pathname);
  // Its space is reserved from the start, because the cookie banner is placed above it.
  const hasBottomBar = pathname !== '/' && pathname !== '/auth';
  return (
    <Flex
      direction="column"
      minH="100dvh"
      css={{ '--bottom-bar': hasBottomBar ? { base: 'calc(57px + env(safe-area-inset-bottom))', lg: '0px' } : '0px' }}
      pb="var(--bottom-bar)"
    >
      <SkipLink href="#main">Skip to the content</SkipLink>
      <CookieNotice />
      <Header viewer={viewer} loading={loading} isTestMode={isTestMode || site?.testMode === true} />
      {site?.confirmEmail && viewer?.email && !viewer.emailConfirmed ? (
        <ConfirmEmailBanner email={viewer.pendingEmail ?? viewer.email} />
      ) : null}
      {/* At least a screen high: what comes in later never pushes a footer that was already seen. */}
      <chakra.main ref={main} id="main" tabIndex={-1} flex="1" minW="0" minH="calc(100dvh - 65px)">
        <Outlet />
      </chakra.main>
      <Footer />
      {hasBottomBar && !loading ? <BottomBar isSignedIn={viewer !== null} /> : null}
      <Toasts />
      <PasswordPrompt />
      <Announcer />
      <KeptScroll />
    </Flex>
  );
}

/** A new page takes the focus, so that a keyboard or a screen reader starts at its content; the first page doesn't. */
function useFocusOnNewPage(pathname: string) {
  const main = useRef<HTMLElement>(null);
  const seen = useRef(pathname);
  useEffect(() => {
    if (seen.current === pathname) return;
    seen.current = pathname;
    const at = document.activeElement;
    if (main.current?.contains(at) || at?.closest('[data-keeps-focus]')) return;
    main.current?.focus({ preventScroll: true });
  }, [pathname]);
  return main;
}

interface DialogProps {
  question: PasswordQuestion;
}

/** Replaces the dialog if its code can't be loaded. */
function DialogNotLoaded({ question }: DialogProps) {
  useEffect(() => {
    toast(
      'The password dialog could not be loaded',
      'Please check your connection, then reload the page.',
      'destructive',
    );
    question.answer(false);
  }, [question]);
  return null;
}

const LazyPasswordDialog = lazy(() =>
  import('../features/account/password/PasswordDialog.tsx').then(
    (module): { default: ComponentType<DialogProps> } => ({ default: module.PasswordDialog }),
    () => ({ default: DialogNotLoaded }),
  ),
);

/** The password dialog for calls of every page; its code is loaded when it is first needed. */
function PasswordPrompt() {
  const question = useStore(passwordQuestion);
  return question ? (
    <Suspense>
      <LazyPasswordDialog question={question} />
    </Suspense>
  ) : null;
}
