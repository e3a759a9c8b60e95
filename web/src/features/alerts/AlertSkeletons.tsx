import { Flex } from '@chakra-ui/react';
import { Card } from '../../ui/parts/Card.tsx';
import { Skeleton } from '../../ui/parts/states.tsx';

/** The list's head and three blocks, in the shape and height of alert rows. */
export function AlertSkeletons() {
  return (
    <Card pad="none" aria-hidden css={{ containerType: 'inline-size' }} animation="appear 1ms 150ms both">
      <Flex align="center" h="52px" px={{ base: '4', md: '5' }}>
        <Skeleton h="18px" w="150px" />
      </Flex>
      {[0, 1, 2].map((index) => (
        <Flex
          key={index}
          direction="column"
          justify="space-between"
          h={{ base: '194px', md: '178px' }}
          px={{ base: '4', md: '5' }}
          py="5"
          borderTopWidth="1px"
          borderColor="line"
          css={{ '@container (min-width: 560px)': { height: '138px' } }}
        >
          <Flex justify="space-between">
            <Skeleton h="24px" w="45%" />
            <Skeleton h="24px" w="40px" borderRadius="full" />
          </Flex>
          <Skeleton h="16px" w="65%" />
          <Skeleton h="16px" w="55%" />
          <Skeleton h="20px" w="150px" alignSelf="flex-end" />
        </Flex>
      ))}
    </Card>
  );
}
