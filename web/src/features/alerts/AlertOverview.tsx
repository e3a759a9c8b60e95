import { Box, Flex } from '@chakra-ui/react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { AlertFacts_AlertFragment } from '../../gql/graphql.ts';
import { useDrawn } from '../../lib/state/drawn.ts';
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
  /** What one asks of an alert, after the preferences. @param inCard whether it stands in the card with them */
  questions: (inCard: boolean) => ReactNode;
}

/**
 * Whether the alert watches, how its messages reach the buyer, and its preferences. On a phone, where cars come first, only
 * what the alert does now is open: the rest waits behind 'Details'.
 */
export function AlertOverview({ alert, hasDevice, action, questions }: AlertOverviewProps) {
  const isWide = useWide();
  // The server can't know the width, and draws both.
  const isDrawn = useDrawn();
  const box = useFocusAfterChange(alert.snoozedUntil);
  const delivery = <AlertDelivery alert={alert} />;
  const notice = alert.pushNotifications && alert.isActive && !hasDevice ? <NoDeviceLine /> : null;
  const preferences = <AlertPreferences alert={alert}>{action}</AlertPreferences>;
  return (
    <Flex ref={box} direction="column" gap="3">
      <Card
        pad="none"
        px="4"
        py={{ base: '2', md: '2.5' }}
        minH={{ md: '48px' }}
        fontSize="sm"
        position="relative"
        display="flex"
        flexDirection="column"
        justifyContent="center"
        // Beside the state, so that it needs no line of its own.
        css={{ '& > div > details > summary': { position: 'absolute', top: '0', right: '4' } }}
      >
        <WatchingBar alert={alert} />
        {isDrawn || !isWide ? (
          <Box hideFrom="md">
            <Folded alert={alert} notice={notice} delivery={delivery}>
              {preferences}
              {questions(true)}
            </Folded>
          </Box>
        ) : null}
      </Card>
      {isDrawn || isWide ? (
        <Flex hideBelow="md" direction="column" gap="3">
          <Card pad="none" px="4" py="3" fontSize="sm" display="flex" flexDirection="column" gap="2.5">
            {delivery}
            {notice}
            {preferences}
          </Card>
          {questions(false)}
        </Flex>
      ) : null}
    </Flex>
  );
}

interface FoldedProps {
  alert: AlertFacts_AlertFragment;
  notice: ReactNode;
  delivery: ReactNode;
  children: ReactNode;
}

/** On a phone: what the alert does now, and the rest behind 'Details'. */
function Folded({ alert, notice, delivery, children }: FoldedProps) {
  const [isOpen, setOpen] = useState(false);
  const now = useNow(60_000);
  return (
    <>
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
            {children}
          </Flex>
        ) : null}
      </LineDisclosure>
    </>
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
