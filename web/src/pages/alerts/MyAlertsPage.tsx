import { useQuery } from '@apollo/client/react';
import { Box } from '@chakra-ui/react';
import { AlertList, MyAlertsDocument } from '../../features/alerts/AlertList.tsx';
import { AlertSkeletons } from '../../features/alerts/AlertSkeletons.tsx';
import { useLiveReady } from '../../lib/server/client/live-connection.ts';
import { readFault } from '../../lib/server/faults/errors.ts';
import { useFailure } from '../../lib/server/faults/use-failure.ts';
import { LinkButton, TextLink } from '../../ui/parts/Button.tsx';
import { Badge } from '../../ui/parts/Card.tsx';
import { PageTitle } from '../../ui/parts/PageTitle.tsx';
import { EmptyState, ErrorPanel, LoadingNote } from '../../ui/parts/states.tsx';

export function MyAlertsPage() {
  const skip = !useLiveReady();
  const result = useQuery(MyAlertsDocument, { skip });
  const error = useFailure(result);
  const alerts = result.data?.alerts;
  return (
    <>
      <PageTitle
        title="My Alerts"
        // Its space is reserved from the start, because on a small phone it determines the button's position.
        mark={
          <Badge tone="quiet" visibility={alerts ? 'visible' : 'hidden'}>
            {alerts?.length ?? 0}
          </Badge>
        }
        actions={<LinkButton to="/create-alert">Create Alert</LinkButton>}
      />
      <Box mt="6">
        {alerts ? (
          alerts.length > 0 ? (
            <>
              <AlertList alerts={alerts} headingLevel={2} />
              <Box mt="4">
                <TextLink to="/notifications">See all notifications</TextLink>
              </Box>
            </>
          ) : (
            <EmptyState
              title="No Alerts Yet"
              level="h2"
              action={<LinkButton to="/create-alert">Create Alert</LinkButton>}
            >
              You haven't created any alerts yet. Create your first alert to start monitoring car listings.
            </EmptyState>
          )
        ) : error ? (
          <ErrorPanel title="Your alerts could not be loaded" onRetry={() => result.refetch()}>
            {readFault(error).message}
          </ErrorPanel>
        ) : (
          <>
            <LoadingNote>Loading your alerts</LoadingNote>
            <AlertSkeletons />
          </>
        )}
      </Box>
    </>
  );
}
