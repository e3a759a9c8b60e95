import { chakra, Flex } from '@chakra-ui/react';
import { deliveryWords } from '@lotwatch/api/forms/delivery';
import { BellOff, Send } from 'lucide-react';
import type { AlertFacts_AlertFragment } from '../../gql/graphql.ts';
import { useNow } from '../../lib/state/now.ts';
import { plural, untilText } from '../../lib/text/time.ts';
import { BusyButton } from '../../ui/parts/Button.tsx';
import { isSnoozed, useSnoozeAlert } from './use-snooze-alert.ts';

const SNOOZE_DAYS = [1, 3, 7] as const;

const Line = chakra('div', {
  base: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    justifyContent: 'space-between',
    columnGap: '6',
    rowGap: '1.5',
  },
});

/** How the alert's messages reach the buyer, in one sentence, and the snooze. */
export function AlertDelivery({ alert }: { alert: AlertFacts_AlertFragment }) {
  const now = useNow(60_000);
  const { snooze, isSaving } = useSnoozeAlert(alert.id);
  const until = isSnoozed(alert, now) ? alert.snoozedUntil : null;
  const hasMessages = alert.emailNotifications || alert.textNotifications || alert.pushNotifications;
  return (
    <Line>
      <Flex align="flex-start" gap="2" flex="1 1 280px">
        <chakra.span color="muted" pt="3px">
          {until === null ? <Send size={15} aria-hidden /> : <BellOff size={15} aria-hidden />}
        </chakra.span>
        <span>{until === null ? deliveryWords(alert) : `Snoozed until ${untilText(until, now)}.`}</span>
      </Flex>
      {until !== null ? (
        <Flex data-snooze>
          <BusyButton variant="outline" size="sm" isBusy={isSaving} onClick={() => void snooze(0)}>
            End snooze
          </BusyButton>
        </Flex>
      ) : alert.isActive && hasMessages ? (
        <Flex
          data-snooze
          role="group"
          aria-label="Snooze the messages of this alert"
          align="center"
          gap="1.5"
          wrap="wrap"
          whiteSpace="nowrap"
        >
          <chakra.span mr="1" color="muted" aria-hidden>
            Snooze for
          </chakra.span>
          {SNOOZE_DAYS.map((days) => (
            <BusyButton
              key={days}
              variant="outline"
              size="sm"
              isBusy={isSaving}
              aria-label={`Snooze for ${plural(days, 'day')}`}
              onClick={() => void snooze(days)}
            >
              {plural(days, 'day')}
            </BusyButton>
          ))}
        </Flex>
      ) : null}
    </Line>
  );
}
