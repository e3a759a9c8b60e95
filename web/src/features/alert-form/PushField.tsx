import { Box, chakra, Flex } from '@chakra-ui/react';
import { useFormikContext } from 'formik';
import { type RefObject, useEffect, useRef } from 'react';
import { usePush } from '../../lib/server/push/use-push.ts';
import { plural } from '../../lib/text/time.ts';
import { BusyButton, Button } from '../../ui/parts/Button.tsx';
import { Flag } from './AlertFormFields.tsx';
import type { DeliveryFormValues } from './alert-form-values.ts';

/** Whether the alert sends push notifications; ticked, it says whether this device shows them. */
export function PushField() {
  const { values } = useFormikContext<DeliveryFormValues>();
  const box = useRef<HTMLDivElement>(null);
  return (
    <Box ref={box}>
      <Flag name="pushNotifications" label="Push notifications" />
      {values.pushNotifications ? <ThisDevice box={box} /> : null}
    </Box>
  );
}

const Words = chakra('p', { base: { fontSize: 'xs', color: 'muted' } });

function ThisDevice({ box }: { box: RefObject<HTMLElement | null> }) {
  const { state, error, others, isBusy, turnOn, readAgain } = usePush();
  const former = useRef(state);
  useEffect(() => {
    // The button disappears once the device is on.
    const isGone = former.current === 'off' && state !== 'off' && document.activeElement === document.body;
    former.current = state;
    if (isGone) box.current?.querySelector('input')?.focus();
  }, [state, box]);
  const elsewhere = others.length > 0 ? ` They go to ${plural(others.length, 'other device')}.` : '';
  const texts = {
    loading: 'Looking whether this device shows them …',
    unsupported: `This browser can't show them.${elsewhere}`,
    blocked: `Your browser blocks notifications from LotWatch. Allow them in the settings of this site.${elsewhere}`,
    off: `Not on this device yet. Turn them on to see each match at once, even while LotWatch is closed; your browser asks whether you allow it.${elsewhere}`,
    on: 'On for this device.',
  };
  return (
    <Flex
      pl="8"
      gap={{ base: '2', sm: '4' }}
      direction={{ base: 'column', sm: 'row' }}
      align={{ base: 'flex-start', sm: 'center' }}
      aria-live="polite"
    >
      <Words>{error === undefined ? texts[state] : "We couldn't look whether this device shows them."}</Words>
      {error !== undefined ? (
        <Button variant="outline" size="sm" flexShrink={0} onClick={() => void readAgain()}>
          Try Again
        </Button>
      ) : state === 'off' ? (
        <BusyButton variant="outline" size="sm" flexShrink={0} isBusy={isBusy} onClick={() => void turnOn()}>
          Turn On Here
        </BusyButton>
      ) : null}
    </Flex>
  );
}
