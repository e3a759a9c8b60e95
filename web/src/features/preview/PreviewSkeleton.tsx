import { Box, Flex, Grid } from '@chakra-ui/react';
import { LoadingNote, Skeleton } from '../../ui/parts/states.tsx';
import { sampleColumns, sampleColumnsOfCard } from './PreviewSamples.tsx';

const three = ['first', 'second', 'third'] as const;

/** Placeholders in the shape of an answer. */
export function PreviewSkeleton() {
  return (
    <>
      <LoadingNote>Counting matches</LoadingNote>
      <Flex direction="column" gap="4" mt="2" aria-hidden animation="appear 1ms 150ms both">
        <Box>
          <Skeleton h="26px" w="210px" maxW="full" mb="1" />
          <Skeleton h="34px" w="full" />
        </Box>
        <Grid templateColumns={sampleColumns} gap={{ base: '2.5', md: '3' }}>
          {three.map((one) => (
            <Grid key={one} templateColumns={sampleColumnsOfCard} columnGap="3" rowGap="1.5">
              <Skeleton aspectRatio="4 / 3" w="full" borderRadius="photo" />
              <Flex direction="column" gap="1.5">
                <Skeleton h="16px" w="full" />
                <Skeleton h="20px" w="60%" />
                <Skeleton h="14px" w="70%" />
              </Flex>
            </Grid>
          ))}
        </Grid>
        <Flex direction="column" gap="1.5">
          <Skeleton h="18px" w="90px" />
          {three.map((one) => (
            <Skeleton key={one} h={{ base: '44px', md: '36px' }} borderRadius="field" />
          ))}
        </Flex>
      </Flex>
    </>
  );
}
