import { chakra, Flex } from '@chakra-ui/react';
import { matchCountText } from '@lotwatch/api/match-cap';
import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { graphql } from '../../gql/gql.ts';
import type { AlertRow_AlertFragment } from '../../gql/graphql.ts';
import { alertAge, pluralMatches, untilText } from '../../lib/text/time.ts';
import { Switch } from '../../ui/form/Switch.tsx';
import { Button, LinkButton, TextLink } from '../../ui/parts/Button.tsx';
import { Badge, Heading } from '../../ui/parts/Card.tsx';
import { Dialog } from '../../ui/parts/Dialog.tsx';
import { LiveDot } from '../../ui/parts/LiveDot.tsx';
import { Tooltip } from '../../ui/parts/Tooltip.tsx';
import { VisuallyHidden } from '../../ui/parts/VisuallyHidden.tsx';
import { canRenew, daysRemainingText, priceRangeText, whereText, yearRangeText } from './alert-words.ts';
import { useDeleteAlert, useRenewAlert, useSwitchAlert } from './use-alert-actions.ts';
import { isSnoozed } from './use-snooze-alert.ts';

export const AlertRowFragment = graphql(`
  fragment AlertRow_alert on Alert {
    id
    make
    model
    models
    yearMin
    yearMax
    location
    place
    radius
    priceMin
    priceMax
    isActive
    pausedByPlan
    createdAt
    expiresAt
    daysRemaining
    matchCount
    newCount
    snoozedUntil
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

/** Two lines in a narrow list and one in a wide list, the same for every row. */
const Criteria = chakra('div', {
  base: {
    display: 'flex',
    flexDirection: 'column',
    columnGap: '5',
    rowGap: '0.5',
    fontSize: 'sm',
    color: 'muted',
    '@container (min-width: 560px)': { flexDirection: 'row' },
  },
});

/** Looks like the heading that it is in; on a phone the whole height of the line can be tapped. */
const NameLink = chakra(TextLink, { base: { color: 'ink', fontWeight: 'inherit', _hover: { color: 'brand' } } });

interface AlertRowProps {
  alert: AlertRow_AlertFragment;
  /** Make and model with the names of the catalogue. */
  vehicle: string;
  /** How many matches a new alert found among earlier listings. */
  alreadyListed: number;
  now: Date;
  headingLevel: 3 | 4;
  onDeleted: () => void;
}

/** One alert: its criteria, whether it is watching, and its actions. */
export function AlertRow({ alert: saved, vehicle, alreadyListed, now, headingLevel, onDeleted }: AlertRowProps) {
  const [isAsking, setAsking] = useState(false);
  const { shown: alert, switchTo } = useSwitchAlert(saved);
  return (
    <Row>
      <Flex align="center" gap={{ base: '0', md: '1' }}>
        <Flex flex="1" minW="0" align="center" wrap="wrap" columnGap="2">
          <Heading as={headingLevel === 3 ? 'h3' : 'h4'} size="md" minW="0" overflowWrap="anywhere">
            <NameLink to={`/alert/${alert.id}`}>{vehicle}</NameLink>
          </Heading>
          {alert.newCount > 0 ? <Badge tone="beam">{matchCountText(alert.newCount)} new</Badge> : null}
        </Flex>
        <Tooltip text={`Edit ${vehicle}`}>
          <LinkButton
            to={`/edit-alert/${alert.id}`}
            variant="ghost"
            size="icon"
            color="muted"
            aria-label={`Edit ${vehicle}`}
          >
            <Pencil size={16} aria-hidden />
          </LinkButton>
        </Tooltip>
        <Tooltip text={`Delete ${vehicle}`}>
          <Button
            variant="ghost"
            size="icon"
            color="muted"
            aria-label={`Delete ${vehicle}`}
            onClick={() => setAsking(true)}
          >
            <Trash2 size={16} aria-hidden />
          </Button>
        </Tooltip>
        <Switch
          ml={{ base: '1', md: '2' }}
          label={`${vehicle} active`}
          checked={alert.isActive}
          onChange={(isActive) => void switchTo(isActive)}
        />
      </Flex>
      <Criteria>
        <span>
          {yearRangeText(alert)} · {priceRangeText(alert)}
        </span>
        <chakra.bdi overflowWrap="anywhere">{whereText(alert)}</chakra.bdi>
      </Criteria>
      <Flex wrap="wrap" columnGap="4" rowGap={canRenew(alert) ? '2.5' : '1'} align="center" mt="1">
        <AlertState alert={alert} alreadyListed={alreadyListed} now={now} />
        {/* Beside the state where there is room, else a line of its own with the link at its end. */}
        <Flex flex="1 0 auto" align="center" justify="flex-end" gap="3">
          {canRenew(alert) ? <Renew alertId={alert.id} /> : null}
          <ViewMatches alert={alert} vehicle={vehicle} />
        </Flex>
      </Flex>
      <DeleteAlertDialog alertId={alert.id} open={isAsking} onClose={() => setAsking(false)} onDeleted={onDeleted} />
    </Row>
  );
}

function AlertState({ alert, alreadyListed, now }: Pick<AlertRowProps, 'alert' | 'alreadyListed' | 'now'>) {
  const parts = [
    alert.isActive ? 'Active' : alert.pausedByPlan ? "Paused: above your plan's limit" : 'Inactive',
    ...(isSnoozed(alert, now) ? [`Snoozed until ${untilText(alert.snoozedUntil, now)}`] : []),
    ...(alert.isActive ? [daysRemainingText(alert.daysRemaining)] : []),
    `Created ${alertAge(alert.createdAt, now)}`,
    ...(alreadyListed > 0 ? [`${matchCountText(alreadyListed)} already listed`] : []),
  ];
  return (
    <Flex flex="100 1 300px" wrap="wrap" align="center" columnGap="1" fontSize="xs" color="muted">
      <LiveDot on={alert.isActive} />
      {parts.map((part, index) => (
        <span key={part}>{index < parts.length - 1 ? `${part} ·` : part}</span>
      ))}
    </Flex>
  );
}

function Renew({ alertId }: { alertId: string }) {
  const { renew, isRenewing } = useRenewAlert();
  return (
    <Button variant="outline" size="sm" mr="auto" disabled={isRenewing} onClick={() => void renew(alertId)}>
      Renew
    </Button>
  );
}

function ViewMatches({ alert, vehicle }: Pick<AlertRowProps, 'alert' | 'vehicle'>) {
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
      <VisuallyHidden>{` of ${vehicle}, `}</VisuallyHidden>
      <Badge tone={alert.matchCount > 0 ? 'brand' : 'quiet'}>{pluralMatches(alert.matchCount, 'listing')}</Badge>
    </TextLink>
  );
}

interface DeleteAlertDialogProps {
  alertId: string;
  open: boolean;
  onClose: () => void;
  onDeleted: () => void;
}

/** Criteria before an alert is deleted. */
function DeleteAlertDialog({ alertId, open, onClose, onDeleted }: DeleteAlertDialogProps) {
  const { remove, isDeleting } = useDeleteAlert();
  const confirm = async () => {
    const isDeleted = await remove(alertId);
    onClose();
    if (isDeleted) onDeleted();
  };
  return (
    <Dialog
      role="alertdialog"
      open={open}
      onClose={onClose}
      title="Delete Alert"
      action={
        <Button variant="danger" disabled={isDeleting} onClick={() => void confirm()}>
          Delete
        </Button>
      }
    >
      Are you sure you want to delete this alert? This action cannot be undone.
    </Dialog>
  );
}
