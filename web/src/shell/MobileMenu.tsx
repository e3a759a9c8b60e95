import { chakra } from '@chakra-ui/react';
import { type RefObject, useEffect, useRef } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { useLogOut } from '../features/account/use-log-out.ts';
import { isAdmin, type Viewer } from '../features/account/viewer.ts';
import { toggleColourMode, useColourMode } from '../lib/state/colour-mode.ts';
import { menuLinksOf } from './nav.ts';

const row = {
  base: {
    display: 'flex',
    alignItems: 'center',
    w: 'full',
    minH: '48px',
    px: '4',
    borderRadius: 'field',
    fontWeight: '600',
    textAlign: 'left',
    cursor: 'pointer',
    '&[aria-current=page]': { bg: 'brandSoft', color: 'brand' },
  },
} as const;

const RowLink = chakra(Link, row);
const RowButton = chakra('button', row);

interface MobileMenuProps {
  viewer: Viewer | null;
  /** The button that opened it; the focus goes back there. */
  opener: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
}

/** The account menu on phones, as a panel below the header; visitors get Home and Sign In. */
export function MobileMenu({ viewer, opener, onClose }: MobileMenuProps) {
  const { pathname } = useLocation();
  const logOut = useLogOut();
  const mode = useColourMode();
  const menu = useRef<HTMLElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      onClose();
      opener.current?.focus();
    };
    const onPointer = ({ target }: PointerEvent) => {
      if (!(target instanceof Node) || menu.current?.contains(target) || opener.current?.contains(target)) return;
      onClose();
    };
    addEventListener('keydown', onKey);
    addEventListener('pointerdown', onPointer);
    return () => {
      removeEventListener('keydown', onKey);
      removeEventListener('pointerdown', onPointer);
    };
  }, [onClose, opener]);
  const visitorLinks = [
    { to: '/', label: 'Home' },
    ...(pathname === '/auth' ? [] : [{ to: '/auth', label: 'Sign In' }]),
  ];
  return (
    <chakra.nav
      ref={menu}
      id="mobile-menu"
      aria-label="Menu"
      position="absolute"
      insetX="0"
      top="full"
      bg="panel"
      borderBottomWidth="1px"
      borderColor="line"
      boxShadow="pop"
      p="3"
      maxH="calc(100dvh - 65px)"
      overflowY="auto"
      display={{ md: 'none' }}
      animation="fadeIn 150ms"
    >
      {viewer ? (
        <chakra.p px="4" py="2" fontSize="sm" color="muted">
          Signed in as{' '}
          <chakra.strong overflowWrap="anywhere">
            <bdi>{viewer.username}</bdi>
          </chakra.strong>
        </chakra.p>
      ) : null}
      {(viewer ? menuLinksOf(isAdmin(viewer)) : visitorLinks).map(({ to, label }) => (
        <RowLink key={to} to={to} aria-current={pathname === to ? 'page' : undefined} onClick={onClose}>
          {label}
        </RowLink>
      ))}
      <RowButton type="button" onClick={toggleColourMode}>
        {mode === 'dark' ? 'Light mode' : 'Dark mode'}
      </RowButton>
      {viewer ? (
        <RowButton
          type="button"
          onClick={() => {
            onClose();
            void logOut();
          }}
        >
          Logout
        </RowButton>
      ) : null}
    </chakra.nav>
  );
}
