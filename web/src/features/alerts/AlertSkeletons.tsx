import { Flex } from '@chakra-ui/react';
import { Card } from '../../ui/parts/Card.tsx';
import { Skeleton } from '../../ui/parts/states.tsx';

/** Three blocks in the shape of alert rows. */
export function AlertSkeletons() {
  return (
    <Card pad="none" aria-hidden animation="appear 1ms 150ms both">
      {[0, 1, 2].map((index) => (
        <Flex
          key={index}
          direction="column"
          gap="2.5"
          p="5"
          borderTopWidth={index === 0 ? '0' : '1px'}
          borderColor="line"
        >
          <Flex justify="space-between">
            <Skeleton h="22px" w="45%" />
            <Skeleton h="24px" w="40px" borderRadius="full" />
          </Flex>
          <Skeleton h="16px" w="65%" />
          <Flex justify="space-between">
            <Skeleton h="16px" w="40%" />
            <Skeleton h="16px" w="110px" />
          </Flex>
        </Flex>
      ))}
    </Card>
  );
}
