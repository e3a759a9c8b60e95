import { Box, Flex } from '@chakra-ui/react';
import { type ReactNode, useEffect, useRef } from 'react';
import { EmptyLot, HeadlightScene } from '../../../ui/parts/art.tsx';
import { Button, LinkButton, TextLink } from '../../../ui/parts/Button.tsx';
import { Card, Heading, Muted } from '../../../ui/parts/Card.tsx';
import { Spinner } from '../../../ui/parts/states.tsx';
import { type Payment, useVerifyPayment } from './use-verify-payment.ts';
import { verifiablePlans } from './verification.ts';

const backToPlans = (
  <LinkButton to="/subscription" variant="outline">
    Back to Subscription
  </LinkButton>
);

/** What became of a checkout: verifying, paid, or still processing. */
export function PaymentOutcome({ sessionId, expectedId }: { sessionId: string; expectedId: string | undefined }) {
  const { payment, pendingId, verify } = useVerifyPayment(sessionId, expectedId);
  if (payment.state === 'verifying') {
    return (
      <Outcome art={<Spinner label="Verifying" size={44} />} title="Verifying your payment">
        This takes a few seconds. Please keep this page open.
      </Outcome>
    );
  }
  if (payment.state === 'paid') {
    return (
      <Outcome
        art={<HeadlightScene />}
        title={`You're on ${payment.planName}`}
        takesFocus
        actions={
          <>
            <LinkButton to="/create-alert">Create Alert</LinkButton>
            {backToPlans}
          </>
        }
      >
        Thank you. Your new alert limit holds from now on.
      </Outcome>
    );
  }
  return <Processing payment={payment} pendingId={pendingId} onVerify={(planId) => void verify(planId)} />;
}

/** The page was opened without a checkout. */
export function NoPayment() {
  return (
    <Outcome art={<EmptyLot />} title="There is no payment to verify" actions={backToPlans}>
      This page opens after a checkout. Choose a plan to start one.
    </Outcome>
  );
}

interface ProcessingProps {
  payment: Extract<Payment, { state: 'processing' }>;
  pendingId: string | null;
  onVerify: (planId: string) => void;
}

function Processing({ payment, pendingId, onVerify }: ProcessingProps) {
  return (
    <Outcome art={<EmptyLot />} title={payment.heading} takesFocus actions={backToPlans}>
      {payment.text}
      <Box mt="5" p="4" bg="sunk" borderRadius="field" w="full">
        <Heading as="h2" size="sm">
          Which plan did you choose?
        </Heading>
        <Muted mt="0.5">Ask once more for the plan that you paid for.</Muted>
        <Flex mt="3.5" gap="2.5" direction={{ base: 'column', sm: 'row' }} justify="center">
          {verifiablePlans.map(({ id, name }) => (
            <Button
              key={id}
              variant="outline"
              flex={{ sm: '1' }}
              aria-disabled={pendingId !== null}
              aria-busy={pendingId === id}
              onClick={() => (pendingId === null ? onVerify(id) : undefined)}
            >
              {pendingId === id ? 'Verifying...' : `Verify ${name}`}
            </Button>
          ))}
        </Flex>
      </Box>
      <Muted mt="4">
        Still not there? <TextLink to="/contact">Contact us</TextLink>
      </Muted>
    </Outcome>
  );
}

interface OutcomeProps {
  art: ReactNode;
  title: string;
  children: ReactNode;
  actions?: ReactNode;
  /** What stood here before had the focus. */
  takesFocus?: boolean;
}

function Outcome({ art, title, children, actions, takesFocus = false }: OutcomeProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus) heading.current?.focus({ preventScroll: true });
  }, [takesFocus]);
  return (
    <Card pad="lg" maxW="560px" mx="auto" textAlign="center" display="flex" flexDirection="column" alignItems="center">
      <Flex w="full" maxW="260px" minH="136px" align="center" justify="center" mb="5">
        {art}
      </Flex>
      <Heading as="h1" size="xl" ref={heading} tabIndex={-1} _focusVisible={{ outline: 'none' }}>
        {title}
      </Heading>
      <Box mt="2" color="muted" w="full" textWrap="balance">
        {children}
      </Box>
      {actions ? (
        <Flex mt="6" gap="3" wrap="wrap" justify="center">
          {actions}
        </Flex>
      ) : null}
    </Card>
  );
}
