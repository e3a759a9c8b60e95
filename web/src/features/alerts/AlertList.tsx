import { chakra, Flex } from '@chakra-ui/react';
import { useRef } from 'react';
import { graphql } from '../../gql/gql.ts';
import type { AlertRow_AlertFragment } from '../../gql/graphql.ts';
import { askedLabel, useCatalogue } from '../../lib/server/catalogue.ts';
import { createdAlerts } from '../../lib/state/new-cars.ts';
import { useNow } from '../../lib/state/now.ts';
import { useStore } from '../../lib/state/store.ts';
import { Badge, Card, Heading } from '../../ui/parts/Card.tsx';
import { VisuallyHidden } from '../../ui/parts/VisuallyHidden.tsx';
import { AlertRow } from './AlertRow.tsx';

export const MyAlertsDocument = graphql(`
  query MyAlerts {
    alerts { ...AlertRow_alert }
  }
`);

const Rows = chakra('ul', { base: { listStyle: 'none', containerType: 'inline-size' } });

interface AlertListProps {
  alerts: readonly AlertRow_AlertFragment[];
  /** The level of the card's heading; those of the rows are one below. */
  headingLevel: 2 | 3;
}

/** The card 'Your Active Alerts' with a row for each alert. */
export function AlertList({ alerts, headingLevel }: AlertListProps) {
  const catalogue = useCatalogue();
  const now = useNow(60_000);
  const created = useStore(createdAlerts);
  const heading = useRef<HTMLHeadingElement>(null);
  const active = alerts.filter((alert) => alert.isActive).length;
  return (
    <Card pad="none" overflow="hidden">
      <Flex align="center" gap="2.5" px={{ base: '4', md: '5' }} py="3.5">
        <Heading as={headingLevel === 2 ? 'h2' : 'h3'} size="sm" ref={heading} tabIndex={-1} borderRadius="4px">
          Your Active Alerts
        </Heading>
        <Badge tone="brand">
          {active}
          <VisuallyHidden>{' active'}</VisuallyHidden>
        </Badge>
      </Flex>
      <Rows>
        {alerts.map((alert) => (
          <AlertRow
            key={alert.id}
            alert={alert}
            headingLevel={headingLevel === 2 ? 3 : 4}
            vehicle={askedLabel(catalogue, alert)}
            alreadyListed={alreadyListed(alert, created.get(alert.id))}
            now={now}
            // The row that had the focus is gone.
            onDeleted={() => heading.current?.focus()}
          />
        ))}
      </Rows>
    </Card>
  );
}

/** How many matches of an alert were there before it was created; 0 for one that was not just created. */
function alreadyListed({ matchCount }: AlertRow_AlertFragment, news: number | undefined): number {
  return news === undefined ? 0 : Math.max(0, matchCount - news);
}
