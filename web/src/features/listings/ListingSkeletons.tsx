import { Box, Flex, Grid } from '@chakra-ui/react';
import { Card } from '../../ui/parts/Card.tsx';
import { Skeleton } from '../../ui/parts/states.tsx';

interface ListingSkeletonsProps {
  count?: number;
  compact?: boolean;
  /** In how many columns they stand on a wide screen. */
  columns?: 1 | 2;
}

/** Placeholders in the shape of listing cards. */
export function ListingSkeletons({ count = 3, compact = false, columns = 1 }: ListingSkeletonsProps) {
  return (
    <Grid
      templateColumns={{ base: 'minmax(0, 1fr)', xl: `repeat(${columns}, minmax(0, 1fr))` }}
      gap="3.5"
      aria-hidden
      animation="appear 1ms 150ms both"
    >
      {Array.from({ length: count }, (_, index) => (
        // The blocks are all alike and never move.
        // biome-ignore lint/suspicious/noArrayIndexKey: they differ in nothing else
        <Card key={index} pad="none" p="3.5" display="flex" flexDirection={{ base: 'column', md: 'row' }} gap="4">
          <Skeleton
            w={{ base: 'full', md: compact ? '168px' : '240px' }}
            aspectRatio="4 / 3"
            alignSelf="flex-start"
            borderRadius="photo"
            flexShrink={0}
          />
          <Flex flex="1" direction="column" gap="2.5">
            <Flex justify="space-between">
              <Skeleton h="20px" w="90px" />
              <Skeleton h="24px" w="80px" />
            </Flex>
            <Skeleton h="22px" w="70%" />
            <Skeleton h="16px" w="60%" />
            <Skeleton h="16px" w="45%" />
            <Box flex="1" />
            <Skeleton h="44px" w={{ base: 'full', md: '180px' }} alignSelf="flex-end" borderRadius="field" />
          </Flex>
        </Card>
      ))}
    </Grid>
  );
}
