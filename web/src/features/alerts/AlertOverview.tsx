import { Box, Flex } from '@chakra-ui/react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { AlertFacts_AlertFragment } from '../../gql/graphql.ts';
import { useNow } from '../../lib/state/now.ts';
import { useWide } from '../../lib/state/use-wide.ts';
import { Card } from '../../ui/parts/Card.tsx';
import { LineDisclosure } from '../../ui/parts/LineDisclosure.tsx';
import { AlertDelivery } from './AlertDelivery.tsx';
import { AlertPreferences, NoDeviceLine } from './AlertDetail.tsx';
import { isSnoozed } from './use-snooze-alert.ts';
import { WatchingBar } from './WatchingBar.tsx';

interface AlertOverviewProps {
  alert: AlertFacts_AlertFragment;
  /** Whether a device gets the buyer's push notifications. */
  hasDevice: boolean;
  /** What can be done with the preferences. */
  action: ReactNode;
  /** What one asks of an alert, after the preferences. */
  questions: ReactNode;
}

/**
 * Whether the alert watches, how its messages reach the buyer, and its preferences. On a phone, where cars come first, only
 * what the alert does now is open: the rest waits behind 'Details'.
 */
export function AlertOverview({ alert, hasDevice, action, questions }: AlertOverviewProps) {
  const isWide = useWide();
  const [isOpen, setOpen] = useState(false);
  const now = useNow(60_000);
  const box = useFocusAfterChange(alert.snoozedUntil);
  const delivery = <AlertDelivery alert={alert} />;
  const notice = alert.pushNotifications && alert.isActive && !hasDevice ? <NoDeviceLine /> : null;
  const preferences = <AlertPreferences alert={alert}>{action}</AlertPreferences>;
  if (isWide) {
    return (
      <Flex ref={box} direction="column" gap="3">
        <Card pad="none" px="4" py="2.5" minH="48px" display="grid" alignItems="center">
          <WatchingBar alert={alert} />
        </Card>
        <Card pad="none" px="4" py="3" fontSize="sm" display="flex" flexDirection="column" gap="2.5">
          {delivery}
          {notice}
          {preferences}
        </Card>
        {questions}
      </Flex>
    );
  }
  return (
    <Card
      ref={box}
      pad="none"
      px="4"
      py="2"
      fontSize="sm"
      position="relative"
      display="flex"
      flexDirection="column"
      // Beside the state, so that it needs no line of its own.
      css={{ '& > details > summary': { position: 'absolute', top: '0', right: '4' } }}
    >
      <WatchingBar alert={alert} />
      {isSnoozed(alert, now) && !isOpen ? <Box mt="2">{delivery}</Box> : null}
      {notice ? <Box mt="2">{notice}</Box> : null}
      <LineDisclosure summary="Details" onToggle={setOpen}>
        {isOpen ? (
          <Flex
            direction="column"
            gap="3"
            mt="2"
            pt="3"
            borderTopWidth="1px"
            borderColor="line"
            fontSize="sm"
            color="ink"
          >
            {delivery}
            {preferences}
            {questions}
          </Flex>
        ) : null}
      </LineDisclosure>
    </Card>
  );
}

/** A press replaces the buttons; what takes their place takes the focus that the pressed one had. */
function useFocusAfterChange(value: unknown) {
  const box = useRef<HTMLDivElement>(null);
  const seen = useRef(value);
  useEffect(() => {
    if (seen.current === value) return;
    seen.current = value;
    if (document.activeElement !== document.body) return;
    const next =
      box.current?.querySelector<HTMLElement>('[data-snooze] button') ?? box.current?.querySelector('summary');
    next?.focus();
  }, [value]);
  return box;
}
