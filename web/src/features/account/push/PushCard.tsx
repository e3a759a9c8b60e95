import { Box, Flex } from '@chakra-ui/react';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { needsHomeScreen } from '../../../lib/server/push/browser-push.ts';
import type { PushDevice } from '../../../lib/server/push/push-documents.ts';
import { type PushState, usePush } from '../../../lib/server/push/use-push.ts';
import { useNow } from '../../../lib/state/now.ts';
import { dayText } from '../../../lib/text/time.ts';
import { BusyButton, Button } from '../../../ui/parts/Button.tsx';
import { Badge, Card, Heading, Muted } from '../../../ui/parts/Card.tsx';
import { ListRow, RowList } from '../../../ui/parts/sections/ListSection.tsx';
import { LoadingNote, Skeleton } from '../../../ui/parts/states.tsx';
import { deviceName } from '../devices/device-words.ts';

const texts: Readonly<Record<Exclude<PushState, 'loading'>, string>> = {
  unsupported: "This browser can't show push notifications.",
  blocked:
    'Your browser blocks notifications from LotWatch. Allow them in the settings of this site, beside the address, and load the page again.',
  off: 'Get a card with photo and price on this device within seconds of each matching car, even while LotWatch is closed. Your browser asks whether you allow it.',
  on: 'This device shows the messages of all alerts that send push notifications.',
};
const HOME_SCREEN =
  'On an iPhone or iPad, first add LotWatch to the Home Screen: press Share, then Add to Home Screen, and open it from there.';

/** Push notifications on this device, and the other devices that get them. */
export function PushCard() {
  const push = usePush();
  const title = useRef<HTMLHeadingElement>(null);
  const { state, others } = push;
  const rows = useFocusAfterRemoval(others.length, title);
  useEffect(() => {
    if (location.hash === '#push') title.current?.scrollIntoView({ block: 'center' });
  }, []);
  return (
    <Card as="section" id="push" aria-labelledby="push-title" pad="lg" scrollMarginTop="24">
      <Heading ref={title} id="push-title" tabIndex={-1} size="md" borderRadius="chip">
        Push notifications
      </Heading>
      <Box mt="1" minH="72px">
        <Content push={push} />
      </Box>
      {state !== 'loading' && others.length > 0 ? (
        <Box mt="4">
          <Heading as="h3" size="sm">
            {state === 'on' ? 'Also on these devices' : 'On these devices'}
          </Heading>
          <RowList ref={rows.list}>
            {others.map((device, index) => (
              <DeviceRow
                key={device.id}
                device={device}
                isBusy={push.isBusy}
                onRemove={() => {
                  rows.removing(index);
                  void push.removeDevice(device.id);
                }}
              />
            ))}
          </RowList>
        </Box>
      ) : null}
    </Card>
  );
}

/** After a row was removed, its neighbour's button takes the focus, and without one the title. */
function useFocusAfterRemoval(count: number, title: RefObject<HTMLElement | null>) {
  const list = useRef<HTMLUListElement>(null);
  const removed = useRef(0);
  const former = useRef(count);
  useEffect(() => {
    const isFewer = count < former.current;
    former.current = count;
    if (!isFewer || document.activeElement !== document.body) return;
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])];
    (buttons[Math.min(removed.current, buttons.length - 1)] ?? title.current)?.focus();
  }, [count, title]);
  return {
    list,
    removing(index: number) {
      removed.current = index;
    },
  };
}

function Content({ push }: { push: ReturnType<typeof usePush> }) {
  const { state, error, isBusy, turnOn, turnOff, readAgain } = push;
  if (error !== undefined) {
    return (
      <Line role="alert" text="We couldn't load this.">
        <Button variant="outline" size="sm" onClick={() => void readAgain()}>
          Try Again
        </Button>
      </Line>
    );
  }
  if (state === 'loading') {
    return (
      <>
        <LoadingNote>Loading push notifications</LoadingNote>
        <Skeleton h="4" w="90%" mt="1" />
        <Skeleton h="4" w="60%" mt="2" />
      </>
    );
  }
  if (state === 'unsupported' && needsHomeScreen()) return <Muted>{HOME_SCREEN}</Muted>;
  return (
    <Line text={texts[state]}>
      {state === 'off' ? (
        <BusyButton size="sm" isBusy={isBusy} aria-label="Turn on push notifications" onClick={() => void turnOn()}>
          Turn On
        </BusyButton>
      ) : state === 'on' ? (
        <BusyButton
          variant="outline"
          size="sm"
          isBusy={isBusy}
          aria-label="Turn off push notifications"
          onClick={() => void turnOff()}
        >
          Turn Off
        </BusyButton>
      ) : null}
    </Line>
  );
}

function Line({ text, children, ...rest }: { text: string; role?: 'alert'; children: ReactNode }) {
  return (
    <Flex {...rest} gap={{ base: '3', md: '6' }} direction={{ base: 'column', sm: 'row' }} align={{ sm: 'center' }}>
      <Muted flex="1">{text}</Muted>
      <Flex flexShrink={0}>{children}</Flex>
    </Flex>
  );
}

function DeviceRow({ device, isBusy, onRemove }: { device: PushDevice; isBusy: boolean; onRemove: () => void }) {
  const now = useNow(60_000);
  const name = deviceName({ browser: device.browser ?? null, system: device.system ?? null });
  const { lastError, lastSuccessAt } = device;
  return (
    <ListRow>
      <Flex gap="4" align="center" justify="space-between">
        <Box minW="0">
          <Flex columnGap="2.5" rowGap="1" align="center" wrap="wrap">
            <span>{name}</span>
            {lastError ? <Badge tone="bad">Not reached</Badge> : null}
          </Flex>
          <Muted mt="0.5">{lastSuccessAt ? `Last message ${dayText(lastSuccessAt, now)}` : 'No message yet'}</Muted>
        </Box>
        <BusyButton variant="outline" size="sm" isBusy={isBusy} aria-label={`Remove ${name}`} onClick={onRemove}>
          Remove
        </BusyButton>
      </Flex>
    </ListRow>
  );
}
