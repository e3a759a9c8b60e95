import { useQuery } from '@apollo/client/react';
import { chakra } from '@chakra-ui/react';
import { Bell } from 'lucide-react';
import { useLocation } from 'react-router-dom';
import { graphql } from '../gql/gql.ts';
import { LinkButton } from '../ui/parts/Button.tsx';
import { Badge } from '../ui/parts/Card.tsx';
import { Tooltip } from '../ui/parts/Tooltip.tsx';

const UnreadNotificationsDocument = graphql(`
  query UnreadNotifications {
    me {
      id
      unreadNotifications
    }
  }
`);

const REFRESH_MS = 60_000;
/** The server counts no further than 100. */
const MAX_SHOWN = 99;

/** The way to the notifications, with how many of them are unread. */
export function NotificationBell() {
  const { pathname } = useLocation();
  const { data } = useQuery(UnreadNotificationsDocument, {
    pollInterval: REFRESH_MS,
    skipPollAttempt: () => document.hidden,
  });
  const count = data?.me?.unreadNotifications ?? 0;
  const shown = count > MAX_SHOWN ? `${MAX_SHOWN}+` : String(count);
  return (
    <Tooltip text="Notifications">
      <LinkButton
        to="/notifications"
        variant="ghost"
        size="icon"
        color="muted"
        position="relative"
        aria-label={count > 0 ? `Notifications, ${shown} unread` : 'Notifications'}
        aria-current={pathname === '/notifications' ? 'page' : undefined}
        css={{ '&[aria-current=page]': { color: 'brand' } }}
      >
        <Bell size={20} aria-hidden />
        {count > 0 ? (
          <chakra.span aria-hidden position="absolute" top="0.5" left="calc(50% + 1px)">
            <Badge tone="beam" px="1.5" minH="18px" minW="18px" justifyContent="center">
              {shown}
            </Badge>
          </chakra.span>
        ) : null}
      </LinkButton>
    </Tooltip>
  );
}
