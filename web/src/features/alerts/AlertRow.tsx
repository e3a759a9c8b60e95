import { Box, chakra, Flex } from '@chakra-ui/react';
import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { graphql } from '../../gql/gql.ts';
import type { AlertRow_AlertFragment } from '../../gql/graphql.ts';
import { alertAge, plural } from '../../lib/time.ts';
import { Button, LinkButton, TextLink } from '../../ui/Button.tsx';
import { Badge, Heading } from '../../ui/Card.tsx';
import { LiveDot } from '../../ui/LiveDot.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { VisuallyHidden } from '../../ui/VisuallyHidden.tsx';
import { canRenew, daysRemainingText, priceRangeText, whereText, yearRangeText } from './alert-words.ts';
import { DeleteAlertDialog } from './DeleteAlertDialog.tsx';
import { useRenewAlert, useSwitchAlert } from './use-alert-actions.ts';

export const AlertRowFragment = graphql(`
  fragment AlertRow_alert on Alert {
    id
    make
    model
    yearMin
    yearMax
    location
    place
    radius
    priceMin
    priceMax
    isActive
    createdAt
    expiresAt
    daysRemaining
    matchCount
  }
`);

const Row = chakra('li', {
  base: {
    px: { base: '4', md: '5' },
    py: '4',
    borderTopWidth: '1px',
    borderColor: 'line',
    display: 'flex',
    flexDirection: 'column',
    gap: '1.5',
  },
});

const Dot = chakra('span', { base: { _before: { content: '"·"', mx: '1.5' } } });

interface AlertRowProps {
  alert: AlertRow_AlertFragment;
  /** Make and model as the catalogue writes them. */
  vehicle: string;
  /** Whether some of its matches are new to the buyer. */
  hasNew: boolean;
  now: Date;
  onDeleted: () => void;
}

/** One alert: what it asks, whether it watches, and what can be done with it. */
export function AlertRow({ alert, vehicle, hasNew, now, onDeleted }: AlertRowProps) {
  const [isAsking, setAsking] = useState(false);
  const switchAlert = useSwitchAlert();
  return (
    <Row>
      <Flex align="center" gap="1">
        <Heading as="h4" size="md" flex="1" minW="0" overflowWrap="anywhere">
          {vehicle}
        </Heading>
        <LinkButton
          to={`/edit-alert/${alert.id}`}
          variant="ghost"
          size="icon"
          color="muted"
          aria-label={`Edit ${vehicle}`}
        >
          <Pencil size={16} aria-hidden />
        </LinkButton>
        <Button
          variant="ghost"
          size="icon"
          color="muted"
          aria-label={`Delete ${vehicle}`}
          onClick={() => setAsking(true)}
        >
          <Trash2 size={16} aria-hidden />
        </Button>
        <Switch
          ml="2"
          label={`${vehicle} active`}
          checked={alert.isActive}
          onChange={(isActive) => void switchAlert(alert, isActive)}
        />
      </Flex>
      <Flex wrap="wrap" columnGap="4" rowGap="0.5" fontSize="sm" color="muted">
        <span>
          {yearRangeText(alert)} · {priceRangeText(alert)}
        </span>
        <span>{whereText(alert)}</span>
      </Flex>
      <Flex wrap="wrap" columnGap="4" rowGap="2" align="center" justify="space-between" mt="1">
        <AlertState alert={alert} now={now} />
        <ViewMatches alert={alert} vehicle={vehicle} hasNew={hasNew} />
      </Flex>
      <DeleteAlertDialog alertId={alert.id} open={isAsking} onClose={() => setAsking(false)} onDeleted={onDeleted} />
    </Row>
  );
}

function AlertState({ alert, now }: { alert: AlertRow_AlertFragment; now: Date }) {
  const { renew, isRenewing } = useRenewAlert();
  return (
    <Flex wrap="wrap" align="center" columnGap="3" rowGap="1" fontSize="xs" color="muted">
      <Flex align="center" wrap="wrap">
        <Box mr="1.5">
          <LiveDot on={alert.isActive} />
        </Box>
        {alert.isActive ? 'Active' : 'Inactive'}
        {alert.isActive ? <Dot>{daysRemainingText(alert.daysRemaining)}</Dot> : null}
        <Dot>Created {alertAge(alert.createdAt, now)}</Dot>
      </Flex>
      {canRenew(alert) ? (
        <Button variant="outline" size="sm" disabled={isRenewing} onClick={() => void renew(alert.id)}>
          Renew
        </Button>
      ) : null}
    </Flex>
  );
}

function ViewMatches({ alert, vehicle, hasNew }: Pick<AlertRowProps, 'alert' | 'vehicle' | 'hasNew'>) {
  return (
    <TextLink
      to={`/alert/${alert.id}`}
      display="inline-flex"
      alignItems="center"
      gap="2"
      minH={{ base: '44px', md: '28px' }}
      fontSize="sm"
    >
      View matches
      <VisuallyHidden>of {vehicle}</VisuallyHidden>
      <Badge tone={hasNew ? 'beam' : alert.matchCount > 0 ? 'brand' : 'quiet'}>
        {plural(alert.matchCount, 'listing')}
      </Badge>
    </TextLink>
  );
}
