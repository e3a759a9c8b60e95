import { useMutation } from '@apollo/client/react';
import { Box, Flex } from '@chakra-ui/react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { graphql } from '../../gql/gql.ts';
import { verificationFailure } from '../../lib/server/faults/fault-words.ts';
import { toast } from '../../lib/state/toasts.ts';
import { EmptyLot, HeadlightScene } from '../../ui/parts/art.tsx';
import { Button, InlineLink, LinkButton } from '../../ui/parts/Button.tsx';
import { Card, Heading, Muted } from '../../ui/parts/Card.tsx';
import { Spinner } from '../../ui/parts/states.tsx';
import { evictPlanFacts } from './subscription.ts';
import { outcomeOf, verifiablePlans } from './verification.ts';

const backToPlans = (
  <LinkButton to="/subscription" variant="outline">
    Back to Subscription
  </LinkButton>
);

/** The state of a checkout: verifying, paid, or still processing. */
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
        Thank you. Your new alert limit is now in effect.
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
        <Muted mt="0.5">Select the plan that you paid for to verify it again.</Muted>
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
        Still not verified? <InlineLink to="/contact">Contact us</InlineLink>
      </Muted>
    </Outcome>
  );
}

interface OutcomeProps {
  art: ReactNode;
  title: string;
  children: ReactNode;
  actions?: ReactNode;
  /** The replaced content had the focus. */
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

const VerifySubscriptionDocument = graphql(`
  mutation VerifySubscription($sessionId: String!, $planId: ID) {
    verifySubscription(sessionId: $sessionId, planId: $planId) {
      message
      paid
      subscription {
        ...CurrentSubscription_subscription
      }
    }
  }
`);

type Payment =
  | { state: 'verifying' }
  | { state: 'paid'; planName: string }
  /** Not verified yet; the user can try again. */
  | { state: 'processing'; heading: string; text: string };

const stillProcessing = 'Your payment is processing';
const notVerified = 'Your payment is not verified yet';

interface VerifyPayment {
  payment: Payment;
  /** The plan that the user is verifying. */
  pendingId: string | null;
  verify: (planId: string) => Promise<void>;
}

/** Verifies a checkout when it is shown, then on demand; each outcome has its toast. */
function useVerifyPayment(sessionId: string, expectedId: string | undefined): VerifyPayment {
  const [run] = useMutation(VerifySubscriptionDocument);
  const [payment, setPayment] = useState<Payment>({ state: 'verifying' });
  const [pendingId, setPendingId] = useState<string | null>(null);

  const verify = async (planId: string | undefined, failureTitle: string): Promise<void> => {
    const showProcessing = (title: string, text: string, tone: 'notice' | 'destructive') => {
      const heading = title === 'Payment Status' ? stillProcessing : notVerified;
      setPayment({ state: 'processing', heading, text });
      toast(title, text, tone);
    };
    try {
      const { data } = await run({ variables: { sessionId, planId }, update: evictPlanFacts });
      if (!data) throw new Error();
      const outcome = outcomeOf(data.verifySubscription, planId);
      if (!outcome.isPaid) return showProcessing(outcome.title, outcome.text, 'notice');
      setPayment({ state: 'paid', planName: outcome.planName });
      toast('Payment Successful!', `You are subscribed to the ${outcome.planName} plan.`);
    } catch (error) {
      showProcessing(failureTitle, verificationFailure(error), 'destructive');
    }
  };

  // Effects run twice in development, but a payment is verified once.
  const hasRun = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: hasRun once for the address that was opened.
  useEffect(() => {
    if (hasRun.current) return;
    hasRun.current = true;
    void verify(expectedId, 'Verification Error');
  }, []);

  return {
    payment,
    pendingId,
    async verify(planId) {
      setPendingId(planId);
      await verify(planId, 'Verification Failed');
      setPendingId(null);
    },
  };
}
