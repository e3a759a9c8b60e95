import { Flex } from '@chakra-ui/react';
import { useViewer } from '../../features/account/viewer.ts';
import { NotificationList } from '../../features/alerts/notifications/NotificationList.tsx';
import { BackLink } from '../../ui/parts/Button.tsx';
import { PageTitle } from '../../ui/parts/PageTitle.tsx';

/** The messages that the user was sent, and what waits or was not sent. */
export function NotificationsPage() {
  const { viewer } = useViewer();
  return (
    <Flex direction="column" gap="5" maxW="960px">
      <div>
        <BackLink to="/my-alerts" mb={{ base: '1', md: '2' }}>
          My Alerts
        </BackLink>
        <PageTitle
          title="Notifications"
          subtitle="What was sent to you and how, what waits until when, and what was not sent and why."
        />
      </div>
      <NotificationList timeZone={viewer?.timeZone ?? 'UTC'} />
    </Flex>
  );
}
