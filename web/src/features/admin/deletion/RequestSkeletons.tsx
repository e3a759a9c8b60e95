import { Flex } from '@chakra-ui/react';
import { useWide } from '../../../lib/state/use-wide.ts';
import { Card } from '../../../ui/parts/Card.tsx';
import { LoadingNote, Skeleton } from '../../../ui/parts/states.tsx';

/** Rows, or cards on a phone, on their way. */
export function RequestSkeletons() {
  const isWide = useWide();
  return (
    <>
      <LoadingNote>Loading the deletion requests</LoadingNote>
      <Skeleton h="6" w="160px" mb="3.5" />
      {isWide ? (
        <Card pad="md" animation="appear 1ms 150ms both">
          <Flex direction="column" gap="4">
            {[0, 1, 2, 3].map((index) => (
              <Skeleton key={index} h="9" w="full" />
            ))}
          </Flex>
        </Card>
      ) : (
        <Flex direction="column" gap="3.5">
          {[0, 1].map((index) => (
            <Card key={index} animation="appear 1ms 150ms both">
              <Skeleton h="5" w="50%" />
              <Skeleton h="16" w="full" mt="3" />
              <Skeleton h="11" w="90px" mt="3" />
            </Card>
          ))}
        </Flex>
      )}
    </>
  );
}
