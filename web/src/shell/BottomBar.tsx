import { chakra } from '@chakra-ui/react';
import { BellRing, House, LayoutDashboard, LogIn, LogOut, Plus } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { useLogOut } from '../features/account/use-log-out.ts';
import { NewBadge } from './NewBadge.tsx';
import { isCurrentLink } from './nav.ts';

const entry = {
  base: {
    position: 'relative',
    flex: '1',
    minW: '0',
    minH: '56px',
    display: 'flex',
    flexDirection: 'column',
    alignItems: 'center',
    justifyContent: 'center',
    gap: '0.5',
    fontSize: '2xs',
    fontWeight: '600',
    color: 'muted',
    cursor: 'pointer',
    borderRadius: 'field',
    '&[aria-current=page]': { color: 'brand' },
  },
} as const;

const EntryLink = chakra(Link, entry);
const EntryButton = chakra('button', entry);

const memberEntries = [
  { to: '/dashboard', label: 'Dashboard', Icon: LayoutDashboard },
  { to: '/my-alerts', label: 'Alerts', Icon: BellRing },
  { to: '/create-alert', label: 'New Alert', Icon: Plus },
] as const;

const visitorEntries = [
  { to: '/', label: 'Home', Icon: House },
  { to: '/auth', label: 'Sign In', Icon: LogIn },
] as const;

/** The bar at a phone's lower edge; the pages / and /auth have none. */
export function BottomBar({ isSignedIn }: { isSignedIn: boolean }) {
  const { pathname } = useLocation();
  const logOut = useLogOut();
  const [isLeaving, setIsLeaving] = useState(false);
  return (
    <>
      <chakra.nav
        aria-label="Quick navigation"
        display={{ base: 'flex', lg: 'none' }}
        position="fixed"
        insetX="0"
        bottom="0"
        // What is placed above it counts on this height.
        minH="var(--bottom-bar)"
        zIndex="bar"
        px="2"
        pb="env(safe-area-inset-bottom)"
        bg="panel"
        borderTopWidth="1px"
        borderColor="line"
      >
        {(isSignedIn ? memberEntries : visitorEntries).map(({ to, label, Icon }) => (
          <EntryLink key={to} to={to} aria-current={isCurrentLink(to, pathname) ? 'page' : undefined}>
            <Icon size={20} aria-hidden />
            {label}
            {to === '/my-alerts' ? (
              <chakra.span position="absolute" top="1" left="calc(50% + 6px)">
                <NewBadge />
              </chakra.span>
            ) : null}
          </EntryLink>
        ))}
        {isSignedIn ? (
          <EntryButton type="button" aria-haspopup="dialog" onClick={() => setIsLeaving(true)}>
            <LogOut size={20} aria-hidden />
            Logout
          </EntryButton>
        ) : null}
      </chakra.nav>
      {isLeaving ? (
        <Suspense fallback={null}>
          <LazyLogOutDialog act={logOut} onClose={() => setIsLeaving(false)} />
        </Suspense>
      ) : null}
    </>
  );
}

interface LogOutDialogProps {
  act: () => Promise<void>;
  onClose: () => void;
}

/** Without the question's code, the user is signed out as asked. */
function NoQuestion({ act, onClose }: LogOutDialogProps): ReactNode {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, whatever the callers pass later.
  useEffect(() => void act().finally(onClose), []);
  return null;
}

/** A thumb that missed its neighbour asks first; the code is loaded when it is needed. */
const LazyLogOutDialog = lazy(() =>
  import('./LogOutDialog.tsx').then(
    (module): { default: (props: LogOutDialogProps) => ReactNode } => ({ default: module.LogOutDialog }),
    () => ({ default: NoQuestion }),
  ),
);
