import { chakra, Flex, Grid } from '@chakra-ui/react';
import { Check } from 'lucide-react';
import { graphql } from '../../gql/gql.ts';
import type { PlanGrid_PlanFragment } from '../../gql/graphql.ts';
import { planPrice } from '../../lib/money.ts';
import { LinkButton } from '../../ui/Button.tsx';
import { Badge, Card, Heading, Muted } from '../../ui/Card.tsx';
import { LoadingNote, Skeleton } from '../../ui/states.tsx';

export const PlanGridFragment = graphql(`
  fragment PlanGrid_plan on Plan {
    id
    name
    description
    price
    monthlyPrice
    alertLimit
    isPopular
    features
  }
`);

interface PlanGridProps {
  /** Undefined while loading. */
  plans: readonly PlanGrid_PlanFragment[] | undefined;
  /** Where every card's button leads. */
  to: string;
}

/** The four plans side by side; on phones one below the other. */
export function PlanGrid({ plans, to }: PlanGridProps) {
  return (
    <Grid templateColumns={{ base: '1fr', sm: '1fr 1fr', lg: 'repeat(4, 1fr)' }} gap="4">
      {plans ? plans.map((plan) => <PlanCard key={plan.id} plan={plan} to={to} />) : <PlanSkeletons />}
    </Grid>
  );
}

function PlanCard({ plan, to }: { plan: PlanGrid_PlanFragment; to: string }) {
  const isFree = Number(plan.price) === 0;
  return (
    <Card
      as="article"
      aria-label={`${plan.name} plan`}
      display="flex"
      flexDirection="column"
      gap="4"
      borderColor={plan.isPopular ? 'brand' : 'line'}
    >
      <div>
        <Flex justify="space-between" align="center" minH="22px">
          <Heading as="h3" size="md">
            {plan.name}
          </Heading>
          {plan.isPopular ? <Badge>POPULAR</Badge> : null}
        </Flex>
        <Flex align="baseline" gap="1.5" mt="2">
          <Heading as="span" size="xl">
            {planPrice(plan.price)}
          </Heading>
          {isFree ? null : <Muted as="span">per month</Muted>}
        </Flex>
        <Muted mt="1">{plan.description}</Muted>
      </div>
      <chakra.ul listStyleType="none" p="0" display="flex" flexDirection="column" gap="2" flex="1">
        {plan.features.map((feature) => (
          <chakra.li key={feature} display="flex" gap="2" fontSize="sm">
            <chakra.span color="brand" pt="0.5">
              <Check size={16} aria-hidden />
            </chakra.span>
            {feature}
          </chakra.li>
        ))}
      </chakra.ul>
      <LinkButton
        to={to}
        variant={plan.isPopular ? 'solid' : 'outline'}
        aria-label={`${ctaText(isFree)}: ${plan.name}`}
      >
        {ctaText(isFree)}
      </LinkButton>
    </Card>
  );
}

function ctaText(isFree: boolean): string {
  return isFree ? 'Get Started' : 'Choose Plan';
}

function PlanSkeletons() {
  return (
    <>
      <LoadingNote>Loading plans</LoadingNote>
      {[1, 2, 3, 4].map((place) => (
        <Card key={place} display="flex" flexDirection="column" gap="3" minH="300px">
          <Skeleton h="5" w="40%" />
          <Skeleton h="8" w="60%" />
          <Skeleton h="4" w="80%" />
          <Skeleton h="4" w="70%" mt="4" />
          <Skeleton h="4" w="75%" />
          <Skeleton h="10" mt="auto" />
        </Card>
      ))}
    </>
  );
}
