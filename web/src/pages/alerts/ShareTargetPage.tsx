import { useQuery } from '@apollo/client/react';
import { Box, Flex } from '@chakra-ui/react';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { MyAlertsDocument } from '../../features/alerts/AlertList.tsx';
import { WhyNotBox } from '../../features/explanations/WhyNotBox.tsx';
import type { AlertRow_AlertFragment } from '../../gql/graphql.ts';
import { askedLabel, useCatalogue } from '../../lib/server/catalogue.ts';
import { readFault } from '../../lib/server/faults/errors.ts';
import { useFailure } from '../../lib/server/faults/use-failure.ts';
import { sharedText } from '../../lib/text/shared-text.ts';
import { Field } from '../../ui/form/Field.tsx';
import { Select } from '../../ui/form/inputs.tsx';
import { Button, LinkButton } from '../../ui/parts/Button.tsx';
import { Card, Heading, Muted } from '../../ui/parts/Card.tsx';
import { PageTitle } from '../../ui/parts/PageTitle.tsx';
import { EmptyState, ErrorPanel, LoadingNote, Skeleton } from '../../ui/parts/states.tsx';

/** What the menu "Share" of a phone opens with a listing of the marketplace. */
export function ShareTargetPage() {
  const [params] = useSearchParams();
  const text = sharedText(params);
  const result = useQuery(MyAlertsDocument);
  const error = useFailure(result);
  const alerts = result.data?.alerts;
  return (
    <Flex direction="column" gap="5" maxW="form">
      <PageTitle
        title="A car you shared"
        subtitle={text === '' ? undefined : <bdi style={{ overflowWrap: 'anywhere' }}>{text}</bdi>}
      />
      {text === '' ? (
        <EmptyState
          level="h2"
          title="Nothing was shared"
          action={
            <LinkButton to="/my-alerts" variant="outline">
              My Alerts
            </LinkButton>
          }
        >
          Share a listing from the app of a marketplace, or from your browser, and choose LotWatch.
        </EmptyState>
      ) : alerts ? (
        <>
          {alerts.length > 0 ? <WhyNot text={text} alerts={alerts} /> : null}
          <NewAlert text={text} />
        </>
      ) : error ? (
        <ErrorPanel title="Your alerts could not be loaded" onRetry={() => result.refetch()}>
          {readFault(error).message}
        </ErrorPanel>
      ) : (
        <>
          <LoadingNote>Loading your alerts</LoadingNote>
          <Skeleton h="260px" borderRadius="card" />
        </>
      )}
    </Flex>
  );
}

function WhyNot({ text, alerts }: { text: string; alerts: readonly AlertRow_AlertFragment[] }) {
  const catalogue = useCatalogue();
  const [alertId, setAlertId] = useState(() => (alerts.find(({ isActive }) => isActive) ?? alerts[0])?.id ?? '');
  const options = alerts.map((alert) => ({
    value: alert.id,
    label: `${askedLabel(catalogue, alert)} · ${alert.location}`,
  }));
  return (
    <Card as="section" pad="lg" aria-labelledby="why-not">
      <Heading as="h2" size="md" id="why-not">
        Why didn’t this fire?
      </Heading>
      <Muted mt="1" mb="4">
        See what of it does not fit an alert, or whether we have seen it.
      </Muted>
      <Flex direction="column" gap="4">
        {alerts.length > 1 ? (
          <Field label="In which alert did you expect it?">
            {(control) => (
              <Select
                {...control}
                options={options}
                value={alertId}
                onChange={(event) => setAlertId(event.currentTarget.value)}
              />
            )}
          </Field>
        ) : null}
        {/* The answer about another alert is none about this one. */}
        <WhyNotBox key={alertId} alertId={alertId} initial={text} />
      </Flex>
    </Card>
  );
}

function NewAlert({ text }: { text: string }) {
  const navigate = useNavigate();
  return (
    <Card as="section" pad="lg" aria-labelledby="new-alert">
      <Heading as="h2" size="md" id="new-alert">
        Watch for cars like it
      </Heading>
      <Muted mt="1">The address of a search, or words about a car, can fill in the form of a new alert.</Muted>
      <Box mt="4">
        <Button variant="outline" onClick={() => void navigate('/create-alert', { state: { wish: text } })}>
          Make an alert of it
        </Button>
      </Box>
    </Card>
  );
}
