import { chakra } from '@chakra-ui/react';
import { BellRing, LayoutDashboard, Settings, ShieldCheck } from 'lucide-react';
import { Link, useLocation } from 'react-router-dom';
import { isAdmin, useViewer } from '../features/account/viewer.ts';
import { useAlertQuota } from '../lib/server/alert-quota.ts';
import { LinkButton, TextLink } from '../ui/parts/Button.tsx';
import { Card, Heading, Muted } from '../ui/parts/Card.tsx';
import { NewBadge } from './NewBadge.tsx';
import { adminLink, isCurrentLink, memberLinks } from './nav.ts';

const SideLink = chakra(Link, {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: '3',
    minH: '44px',
    px: '3.5',
    borderRadius: 'field',
    fontWeight: '550',
    color: 'muted',
    transition: 'background 150ms, color 150ms',
    '&:hover:not([aria-current=page])': { color: 'ink', bg: 'sunk' },
    '&[aria-current=page]': { bg: 'brandSoft', color: 'brand' },
  },
});

const icons = {
  '/dashboard': LayoutDashboard,
  '/my-alerts': BellRing,
  '/settings': Settings,
  '/admin': ShieldCheck,
} as const;

/** The navigation of signed-in users on large screens, with a card to create an alert. */
export function SideNav() {
  const { pathname } = useLocation();
  const { viewer } = useViewer();
  const places = isAdmin(viewer) ? [...memberLinks, adminLink] : memberLinks;
  const quota = useAlertQuota().quota;
  return (
    <chakra.aside
      w="side"
      flexShrink={0}
      display={{ base: 'none', lg: 'block' }}
      position="sticky"
      top="24"
      alignSelf="flex-start"
    >
      <chakra.nav aria-label="Main" display="flex" flexDirection="column" gap="0.5">
        {places.map(({ to, label }) => {
          const Icon = icons[to];
          return (
            <SideLink key={to} to={to} aria-current={isCurrentLink(to, pathname) ? 'page' : undefined}>
              <Icon size={18} aria-hidden />
              <chakra.span flex="1">{label}</chakra.span>
              {to === '/my-alerts' ? <NewBadge /> : null}
            </SideLink>
          );
        })}
      </chakra.nav>
      <Card pad="sm" mt="7">
        <Heading as="p" size="sm">
          Create a new alert
        </Heading>
        <Muted fontSize="xs" mt="0.5" minH="5">
          {quota ? `${quota.alertsUsed} of ${quota.alertLimit} used` : ''}
          {quota?.needsUpgrade ? (
            <>
              {' · '}
              <TextLink to="/subscription">Upgrade</TextLink>
            </>
          ) : null}
        </Muted>
        <LinkButton to="/create-alert" mt="3" w="full">
          New Alert
        </LinkButton>
      </Card>
    </chakra.aside>
  );
}
