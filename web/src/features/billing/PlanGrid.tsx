import { Grid } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { graphql } from '../../gql/gql.ts';
import type { PlanGrid_PlanFragment } from '../../gql/graphql.ts';
import { Card } from '../../ui/parts/Card.tsx';
import { LoadingNote, Skeleton } from '../../ui/parts/states.tsx';

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
  /** Space for the cards' `note` while loading. */
  hasNotes?: boolean;
  children: (plan: PlanGrid_PlanFragment) => ReactNode;
}

/** Four columns where each gets 210 px, otherwise two, and one on phones; never three, which would leave one card alone. */
const columns =
  'repeat(auto-fit, minmax(clamp((100% - 3.1rem) / 4, (888px - 100%) * 999, max((100% - 1.3rem) / 2, min(100%, 210px))), 1fr))';

/** The four plans side by side; on phones one below the other. */
export function PlanGrid({ plans, hasNotes = false, children }: PlanGridProps) {
  return (
    <Grid templateColumns={columns} gap={{ base: '5', md: '4' }}>
      {plans ? plans.map(children) : <PlanSkeletons hasNotes={hasNotes} />}
    </Grid>
  );
}

function PlanSkeletons({ hasNotes }: { hasNotes: boolean }) {
  return (
    <>
      <LoadingNote>Loading plans</LoadingNote>
      {[1, 2, 3, 4].map((place) => (
        <Card
          key={place}
          display="flex"
          flexDirection="column"
          pt="6"
          minH={hasNotes ? '366px' : '312px'}
          animation="appear 1ms 150ms both"
        >
          <Skeleton h="5" w="40%" />
          <Skeleton h="4" w="80%" mt="2" />
          <Skeleton h="9" w="60%" mt="4" />
          <Skeleton h="4" w="70%" mt="7" />
          <Skeleton h="4" w="75%" mt="3" />
          <Skeleton h="4" w="65%" mt="3" />
          <Skeleton h="10" mt="auto" />
        </Card>
      ))}
    </>
  );
}
