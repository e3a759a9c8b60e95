import { Box, chakra, Flex } from '@chakra-ui/react';
import { plural } from '../../lib/text/time.ts';
import { Button } from '../../ui/parts/Button.tsx';
import { Badge, Card, Heading, Muted } from '../../ui/parts/Card.tsx';
import { Meter } from '../../ui/parts/sections/Meter.tsx';
import { Skeleton } from '../../ui/parts/states.tsx';
import { periodText, type SubscriptionUse } from './subscription.ts';
import { useBillingPortal } from './use-billing-portal.ts';
import { useSubscribe } from './use-subscribe.ts';

const statusWords: Record<string, string> = { active: 'Active', past_due: 'Payment overdue', canceling: 'Ends soon' };

interface CurrentPlanProps {
  use: SubscriptionUse | undefined;
  /** True if the content below may move. */
  isWhole: boolean;
}

/** The viewer's plan, its status, and how many of its alerts are used. */
export function CurrentPlan({ use, isWhole }: CurrentPlanProps) {
  return (
    <Card as="section" aria-label="Your plan" aria-busy={!use}>
      <Flex gap={{ base: '4', md: '8' }} direction={{ base: 'column', md: 'row' }} align={{ md: 'center' }}>
        <Box minW={{ md: '220px' }}>
          <Muted fontSize="xs">Your plan</Muted>
          <Flex align="center" gap="2.5" minH="33px">
            {use ? <PlanAndStatus {...use.current} /> : <Skeleton h="6" w="140px" />}
          </Flex>
        </Box>
        <Box flex="1" minH="49px">
          {use ? <Usage {...use.quota} /> : <Skeleton h="4" w="full" mt="2" />}
        </Box>
      </Flex>
      {use && isWhole ? <Billing current={use.current} /> : null}
    </Card>
  );
}

/** When the plan renews or ends, and where to change that; empty for a free plan. */
function Billing({ current }: Pick<SubscriptionUse, 'current'>) {
  const { open, isOpening } = useBillingPortal();
  const { choose, chosenId } = useSubscribe();
  const when = periodText(current);
  if (when === undefined) return null;
  return (
    <Flex
      mt="4"
      pt="4"
      borderTopWidth="1px"
      borderColor="line"
      gap="3"
      justify="space-between"
      direction={{ base: 'column', sm: 'row' }}
      align={{ sm: 'center' }}
    >
      <chakra.p fontSize="sm" fontWeight="550">
        {when}
      </chakra.p>
      <Flex gap="2.5" direction={{ base: 'column', sm: 'row' }}>
        {current.status === 'canceling' ? (
          <Button
            aria-disabled={chosenId !== null}
            aria-busy={chosenId !== null}
            onClick={() => (chosenId === null ? void choose(current.planId) : undefined)}
          >
            {chosenId === null ? `Resume ${current.planName}` : 'Resuming...'}
          </Button>
        ) : null}
        <Button variant="outline" aria-busy={isOpening} onClick={() => void open()}>
          {isOpening ? 'Opening...' : 'Manage billing'}
        </Button>
      </Flex>
    </Flex>
  );
}

function PlanAndStatus({ planName, status }: SubscriptionUse['current']) {
  const isActive = status === 'active';
  return (
    <>
      <Heading as="p" size="lg">
        {planName}
      </Heading>
      <Badge tone={isActive ? 'brand' : status === 'past_due' ? 'bad' : 'quiet'}>
        <chakra.span w="6px" h="6px" borderRadius="full" bg="currentColor" aria-hidden />
        {statusWords[status] ?? status}
      </Badge>
    </>
  );
}

function Usage({ alertsUsed, alertLimit, needsUpgrade }: SubscriptionUse['quota']) {
  return (
    <>
      <Meter used={alertsUsed} limit={alertLimit}>
        <chakra.span color="ink" fontWeight="600" fontSize="sm">
          {`${alertsUsed} of ${plural(alertLimit, 'active alert')} used`}
        </chakra.span>
      </Meter>
      <Muted fontSize="xs" mt="1.5">
        {needsUpgrade
          ? 'To create more, choose a larger plan or pause an alert.'
          : `Room for ${plural(Math.max(0, alertLimit - alertsUsed), 'more alert', 'more alerts')}.`}
      </Muted>
    </>
  );
}
