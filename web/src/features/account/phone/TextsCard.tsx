import { useApolloClient, useMutation, useQuery } from '@apollo/client/react';
import { Box, chakra, Flex } from '@chakra-ui/react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { PhoneTexts_UserFragment } from '../../../gql/graphql.ts';
import { formError, readFault } from '../../../lib/server/faults/errors.ts';
import { toastFault } from '../../../lib/server/faults/run-action.ts';
import { useFailure } from '../../../lib/server/faults/use-failure.ts';
import { useNow } from '../../../lib/state/now.ts';
import { toast } from '../../../lib/state/toasts.ts';
import { BusyButton, Button, LinkButton } from '../../../ui/parts/Button.tsx';
import { Card, Heading, Muted } from '../../../ui/parts/Card.tsx';
import { Meter } from '../../../ui/parts/sections/Meter.tsx';
import { LoadingNote, Skeleton } from '../../../ui/parts/states.tsx';
import { ConfirmedBadge } from '../ConfirmedBadge.tsx';
import type { Viewer } from '../viewer.ts';
import { CodeForm } from './CodeForm.tsx';
import { ConfirmPhoneDocument, PhoneTextsDocument, SendPhoneCodeDocument } from './phone-documents.ts';
import { likelyTexts, nextMonthText, type PhoneStep, phoneStep, phoneText } from './phone-step.ts';

/** Matches as text messages: how to confirm the phone, and how many texts of the month are left. */
export function TextsCard({ viewer }: { viewer: Viewer }) {
  const result = useQuery(PhoneTextsDocument, { fetchPolicy: 'cache-and-network' });
  const error = useFailure(result);
  const title = useRef<HTMLHeadingElement>(null);
  const me = result.data?.me;
  useEffect(() => {
    if (location.hash === '#texts') title.current?.scrollIntoView({ block: 'center' });
  }, []);
  const isConfirmed = me?.phoneConfirmed;
  const wasConfirmed = useRef(isConfirmed);
  useEffect(() => {
    // The field that had the focus is gone.
    if (isConfirmed && wasConfirmed.current === false && document.activeElement === document.body)
      title.current?.focus();
    wasConfirmed.current = isConfirmed;
  }, [isConfirmed]);
  return (
    <Card as="section" id="texts" aria-labelledby="texts-title" pad="lg" scrollMarginTop="24">
      <Heading ref={title} id="texts-title" tabIndex={-1} size="md" borderRadius="chip">
        Text messages
      </Heading>
      <Box mt="1" minH="72px">
        {me ? (
          <Step me={me} />
        ) : error ? (
          <Flex role="alert" gap="4" align="center" justify="space-between" wrap="wrap">
            <Muted>We couldn't load this.</Muted>
            <Button variant="outline" size="sm" onClick={() => void result.refetch().catch(() => undefined)}>
              Try Again
            </Button>
          </Flex>
        ) : (
          <StepSkeleton viewer={viewer} />
        )}
      </Box>
    </Card>
  );
}

/** A placeholder as high as the most likely content. */
function StepSkeleton({ viewer }: { viewer: Viewer }) {
  return (
    <Box position="relative">
      <LoadingNote>Loading text messages</LoadingNote>
      <Box visibility="hidden" aria-hidden>
        <Step me={likelyTexts(viewer)} />
      </Box>
      <Box position="absolute" top="0" left="0" right="0">
        <Skeleton h="4" w="70%" mt="1" />
        <Skeleton h="4" w="40%" mt="3" />
      </Box>
    </Box>
  );
}

const intro: Record<PhoneStep, string> = {
  unavailable: "Text messages aren't set up on this server yet.",
  free: 'Get a text within seconds of each matching car. Texts are included in every paid plan.',
  'no-phone': 'Add a phone number to your profile above. We will then text you a code to verify the number.',
  unconfirmed: 'We text only confirmed numbers. Request a code by text, and enter it here.',
  code: 'We texted you a code. Enter it here.',
  stopped: 'We do not send texts to your number.',
  confirmed: 'Matches go to this number for each alert that has text notifications on.',
};

function Step({ me }: { me: PhoneTexts_UserFragment }) {
  const step = phoneStep(me, useNow(1000));
  const { send, confirm, isBusy, sentAt } = usePhoneCode();
  const sendCode = () => void send();
  return (
    <>
      <Muted>{intro[step]}</Muted>
      {step === 'free' ? (
        <LinkButton to="/subscription" variant="outline" size="sm" mt="4">
          See Plans
        </LinkButton>
      ) : null}
      {step === 'unconfirmed' ? (
        <PhoneLine phone={me.phone} isConfirmed={false}>
          <BusyButton size="sm" isBusy={isBusy} onClick={sendCode}>
            {isBusy ? 'Sending...' : 'Text Me a Code'}
          </BusyButton>
        </PhoneLine>
      ) : null}
      {step === 'code' ? (
        <>
          <PhoneLine phone={me.phone} isConfirmed={false} />
          <CodeForm isBusy={isBusy} sentAt={sentAt} onConfirm={confirm} onResend={sendCode} />
        </>
      ) : null}
      {step === 'stopped' || step === 'confirmed' ? (
        <>
          <PhoneLine phone={me.phone} isConfirmed />
          {step === 'stopped' ? <Stopped from={me.texts.from ?? null} /> : <Usage {...me.texts} />}
        </>
      ) : null}
    </>
  );
}

interface PhoneLineProps {
  phone: string | null | undefined;
  isConfirmed: boolean;
  children?: ReactNode;
}

function PhoneLine({ phone, isConfirmed, children }: PhoneLineProps) {
  return (
    <Flex mt="4" mb={children ? '0' : '4'} gap="3" align="center" justify="space-between" wrap="wrap" minH="36px">
      <Flex gap="3" align="center" wrap="wrap" minW="0">
        <chakra.span fontWeight="600" overflowWrap="anywhere" fontVariantNumeric="tabular-nums">
          {phoneText(phone ?? '')}
        </chakra.span>
        <ConfirmedBadge isConfirmed={isConfirmed} />
      </Flex>
      {children}
    </Flex>
  );
}

function Stopped({ from }: { from: string | null }) {
  return (
    <Box px="4" py="3" borderRadius="field" bg="badSoft" color="bad" fontSize="sm">
      You replied STOP. Text START to {from === null ? 'the number our texts came from' : phoneText(from)} to get texts
      again.
    </Box>
  );
}

function Usage({ usedThisMonth, monthlyLimit }: { usedThisMonth: number; monthlyLimit: number }) {
  const count = (n: number) => n.toLocaleString('en-US');
  return (
    <Meter used={usedThisMonth} limit={monthlyLimit}>
      <span>
        {count(usedThisMonth)} of {count(monthlyLimit)} texts this month
      </span>
      <span>Resets on {nextMonthText(new Date())}</span>
    </Meter>
  );
}

interface PhoneCode {
  /** Texts a code and shows a toast. */
  send: () => Promise<void>;
  /** Resolves with the fault of the code, or with undefined. */
  confirm: (code: string) => Promise<string | undefined>;
  isBusy: boolean;
  /** When this page last sent a code, in milliseconds since 1970. */
  sentAt: number | null;
}

/** Confirms the viewer's phone by a code. */
function usePhoneCode(): PhoneCode {
  const client = useApolloClient();
  const [sendCode, sending] = useMutation(SendPhoneCodeDocument);
  const [confirmCode, confirming] = useMutation(ConfirmPhoneDocument);
  const [sentAt, setSentAt] = useState<number | null>(null);
  const send = async () => {
    try {
      const { data } = await sendCode();
      setSentAt(Date.now());
      toast('Code sent', data?.sendPhoneCode.message);
    } catch (error) {
      toastFault('No code was sent', readFault(error));
    }
    await client.query({ query: PhoneTextsDocument, fetchPolicy: 'network-only' }).catch(() => undefined);
  };
  const confirm = async (code: string) => {
    try {
      await confirmCode({ variables: { code } });
      toast('Phone confirmed', 'Tick "Text notifications" in an alert to get its matches as texts.');
      return undefined;
    } catch (error) {
      const fault = readFault(error);
      return fault.fields.code ?? formError(fault);
    }
  };
  return { send, confirm, isBusy: sending.loading || confirming.loading, sentAt };
}
