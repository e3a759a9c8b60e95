import { chakra, Flex } from '@chakra-ui/react';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import type { PlanGrid_PlanFragment } from '../../gql/graphql.ts';
import { planPrice } from '../../lib/text/amounts.ts';
import { Badge, Card, Heading, Muted } from '../../ui/parts/Card.tsx';

interface PlanCardProps {
  plan: PlanGrid_PlanFragment;
  /** A `PlanMark` on the card's upper edge. */
  mark?: ReactNode;
  /** A badge beside the name. */
  tag?: ReactNode;
  isMarked?: boolean;
  /** One level below the heading above the plans. */
  headingLevel?: 2 | 3;
  /** Between what the plan gives and the button. */
  note?: ReactNode;
  /** The card's button. */
  action?: ReactNode;
}

/** One plan: its name, price and features. */
export function PlanCard({ plan, mark, tag, isMarked = false, headingLevel = 3, note, action }: PlanCardProps) {
  return (
    <Card
      as="article"
      aria-label={`${plan.name} plan`}
      position="relative"
      display="flex"
      flexDirection="column"
      gap="5"
      pt={{ base: '6', md: '6' }}
      borderColor={isMarked ? 'brand' : 'line'}
      outline={isMarked ? '1px solid {colors.brand}' : undefined}
    >
      {mark ? (
        <Flex position="absolute" top="0" left={{ base: '4', md: '5' }} transform="translateY(-50%)">
          {mark}
        </Flex>
      ) : null}
      <div>
        <Flex justify="space-between" align="center" gap="2">
          <Heading as={headingLevel === 2 ? 'h2' : 'h3'} size="md">
            {plan.name}
          </Heading>
          {tag}
        </Flex>
        <Muted>{plan.description}</Muted>
        <PlanPrice price={plan.monthlyPrice} />
      </div>
      <chakra.ul listStyleType="none" p="0" display="flex" flexDirection="column" gap="2.5" flex="1">
        {plan.features.map((feature, index) => (
          <chakra.li key={feature} display="flex" gap="2.5" fontSize="sm" fontWeight={index === 0 ? '650' : '400'}>
            <chakra.span color="brand" pt="0.5" flexShrink={0}>
              <Check size={16} strokeWidth={2.5} aria-hidden />
            </chakra.span>
            {feature}
          </chakra.li>
        ))}
      </chakra.ul>
      {note}
      {action}
    </Card>
  );
}

/** `$4.99 per month`, the cents small; what costs nothing has no month. */
function PlanPrice({ price }: { price: string }) {
  const [dollars = '', cents] = planPrice(price).split('.');
  return (
    <chakra.p mt="3.5" whiteSpace="nowrap" fontVariantNumeric="tabular-nums">
      <Heading as="span" size="2xl" fontSize="3xl">
        {dollars}
        {cents === undefined ? null : <chakra.span fontSize="xl">.{cents}</chakra.span>}
      </Heading>
      {Number(price) === 0 ? null : (
        <>
          {' '}
          <Muted as="span" ml="0.5">
            per month
          </Muted>
        </>
      )}
    </chakra.p>
  );
}

/** A badge on a plan's upper edge. */
export function PlanMark({ children }: { children: ReactNode }) {
  return (
    <Badge bg="brand" color="onBrand">
      {children}
    </Badge>
  );
}
