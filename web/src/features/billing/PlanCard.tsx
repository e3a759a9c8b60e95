import { chakra, Flex } from '@chakra-ui/react';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import type { PlanGrid_PlanFragment } from '../../gql/graphql.ts';
import { planPrice } from '../../lib/text/money.ts';
import { Card, Heading, Muted } from '../../ui/parts/Card.tsx';

interface PlanCardProps {
  plan: PlanGrid_PlanFragment;
  /** A badge beside the name. */
  mark?: ReactNode;
  isMarked?: boolean;
  /** One below the heading that the plans stand under. */
  headingLevel?: 2 | 3;
  /** The card's button. */
  action?: ReactNode;
}

/** One plan: name, price, what it gives. */
export function PlanCard({ plan, mark, isMarked = false, headingLevel = 3, action }: PlanCardProps) {
  return (
    <Card
      as="article"
      aria-label={`${plan.name} plan`}
      display="flex"
      flexDirection="column"
      gap="4"
      borderColor={isMarked ? 'brand' : 'line'}
    >
      <div>
        <Flex justify="space-between" align="center" minH="22px" gap="2">
          <Heading as={headingLevel === 2 ? 'h2' : 'h3'} size="md">
            {plan.name}
          </Heading>
          {mark}
        </Flex>
        <Flex align="baseline" gap="1.5" mt="2">
          <Heading as="span" size="xl">
            {planPrice(plan.price)}
          </Heading>
          {Number(plan.price) > 0 ? <Muted as="span">per month</Muted> : null}
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
      {action}
    </Card>
  );
}
