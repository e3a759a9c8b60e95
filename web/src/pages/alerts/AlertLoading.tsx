import { useApolloClient } from '@apollo/client/react';
import { Flex } from '@chakra-ui/react';
import { useState } from 'react';
import { ListingSkeletons } from '../../features/listings/ListingSkeletons.tsx';
import { graphql } from '../../gql/gql.ts';
import { useDocumentTitle } from '../../ui/parts/PageTitle.tsx';
import { LoadingNote, Skeleton } from '../../ui/parts/states.tsx';
import { VisuallyHidden } from '../../ui/parts/VisuallyHidden.tsx';

/** What a list of alerts said of this one. */
const KnownMatchesFragment = graphql(`
  fragment KnownMatches_alert on Alert {
    matchCount
  }
`);

/** An alert's page before its answer is there. */
export function AlertLoading({ id }: { id: string }) {
  useDocumentTitle('Alert');
  const { cache } = useApolloClient();
  const [known] = useState(() => cache.readFragment({ id: `Alert:${id}`, fragment: KnownMatchesFragment }));
  const hasControls = !known || known.matchCount > 1;
  return (
    <>
      <VisuallyHidden as="h1">Alert</VisuallyHidden>
      <LoadingNote>Loading the alert</LoadingNote>
      <Flex direction="column" gap="3" aria-hidden>
        <Skeleton h={{ base: '33px', md: '44px' }} w="min(320px, 70%)" />
        <Skeleton h={{ base: '36px', md: '20px' }} w="min(460px, 90%)" />
        <Skeleton h="44px" w="full" borderRadius="field" display={{ base: 'block', md: 'none' }} />
        {/* On narrow phones the days take a second line, and the count one below its heading. */}
        <Skeleton
          h={{ base: '80px', md: '48px' }}
          w="full"
          borderRadius="card"
          mt={{ base: '0', md: '3' }}
          css={{ '@media (max-width: 340px)': { height: '101px' } }}
        />
        <Skeleton h="94px" w="full" borderRadius="card" display={{ base: 'none', md: 'block' }} />
        <Skeleton
          h={{ base: '168px', lg: '72px' }}
          w="full"
          borderRadius="card"
          display={{ base: 'none', md: 'block' }}
        />
        <Skeleton
          h="28px"
          w="220px"
          mt={{ base: '1', md: '5' }}
          mb={{ base: hasControls ? '-1px' : '11px', md: '1' }}
          css={{ '@media (max-width: 350px)': { height: '36px' } }}
        />
        {hasControls ? (
          <Skeleton h="44px" w="full" borderRadius="field" mb="2" display={{ base: 'block', md: 'none' }} />
        ) : null}
      </Flex>
      <ListingSkeletons />
    </>
  );
}
