import { useMutation } from '@apollo/client/react';
import { Box, chakra, Flex } from '@chakra-ui/react';
import { useEffect, useRef, useState } from 'react';
import { encode } from 'uqr';
import { readFault } from '../../../lib/server/faults/errors.ts';
import { toastFault } from '../../../lib/server/faults/run-action.ts';
import { toast } from '../../../lib/state/toasts.ts';
import { BusyButton } from '../../../ui/parts/Button.tsx';
import { Card, Heading, Muted } from '../../../ui/parts/Card.tsx';
import { refreshViewer } from '../viewer.ts';
import { AppCodeForm } from './AppCodeForm.tsx';
import { ConfirmSecondFactorDocument, StartSecondFactorDocument } from './second-factor-documents.ts';

interface Secret {
  secret: string;
  uri: string;
}

/** Sets up two-step sign-in: a secret for the app, a code from it, then the recovery codes. */
export function SetUp({ onCodes }: { onCodes: (codes: readonly string[]) => void }) {
  const [start, { loading }] = useMutation(StartSecondFactorDocument, { fetchPolicy: 'no-cache' });
  const [confirm, { client }] = useMutation(ConfirmSecondFactorDocument, { fetchPolicy: 'no-cache' });
  const [given, setGiven] = useState<Secret | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const wasGiven = useRef(false);
  useEffect(() => {
    // The pressed button is gone, so the card's heading takes the focus, in both directions.
    if (given || wasGiven.current) heading.current?.focus();
    wasGiven.current = given !== null;
  }, [given]);
  const begin = async () => {
    try {
      const { data } = await start();
      setGiven(data?.startSecondFactor ?? null);
    } catch (error) {
      toastFault('Two-step sign-in was not set up', readFault(error));
    }
  };
  const prove = async (code: string) => {
    try {
      const { data } = await confirm({ variables: { code } });
      if (data) onCodes(data.confirmSecondFactor.codes);
    } catch (error) {
      if (readFault(error).code !== 'CONFLICT') throw error;
      // An earlier call turned it on but its answer was lost, so the page loads the current state.
      toast(
        'Two-step sign-in is already on',
        'Create new recovery codes, because the current ones were never shown.',
        'notice',
      );
      await refreshViewer(client);
    }
  };
  if (!given) {
    return (
      <Card as="section" aria-labelledby="two-step-off" pad="lg">
        <Heading ref={heading} id="two-step-off" size="md" tabIndex={-1} borderRadius="4px">
          Two-step sign-in is off
        </Heading>
        <Muted mt="1" mb="5">
          With two-step sign-in, your password alone is not enough to sign in. You need an authenticator app on your
          phone, such as the one in your password manager.
        </Muted>
        <BusyButton isBusy={loading} onClick={() => void begin()}>
          Set Up
        </BusyButton>
      </Card>
    );
  }
  return (
    <Card as="section" aria-labelledby="two-step-app" pad="lg">
      <Heading ref={heading} id="two-step-app" size="md" tabIndex={-1} borderRadius="4px">
        Add LotWatch to your app
      </Heading>
      <Flex mt="4" gap="6" direction={{ base: 'column', md: 'row' }} align="flex-start">
        <QrCode text={given.uri} label="QR code for your authenticator app" />
        <Box minW="0" flex="1">
          <Muted>
            Scan this code with your authenticator app. If you are on the phone that has the app, add an account
            manually with this key:
          </Muted>
          <chakra.p my="4" fontFamily="mono" fontSize="sm" overflowWrap="anywhere" userSelect="all">
            {(given.secret.match(/.{4}/g) ?? []).join(' ')}
          </chakra.p>
          <AppCodeForm
            name="Confirm your app"
            hint="The six digits that the app shows now."
            action="Turn On"
            onCode={prove}
            onCancel={() => setGiven(null)}
          />
        </Box>
      </Flex>
    </Card>
  );
}

/** Modules of white around it, which readers need. Source: ISO/IEC 18004. */
const QUIET_ZONE = 4;

/** A text as a QR code, black on white in dark mode too. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 0, ecc: 'M' });
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  const whole = size + 2 * QUIET_ZONE;
  return (
    <chakra.svg
      role="img"
      aria-label={label}
      viewBox={`${-QUIET_ZONE} ${-QUIET_ZONE} ${whole} ${whole}`}
      w="200px"
      h="200px"
      flexShrink={0}
      bg="#fff"
      borderRadius="field"
      shapeRendering="crispEdges"
    >
      <path fill="#000" d={path} />
    </chakra.svg>
  );
}
