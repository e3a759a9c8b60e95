import { Flex } from '@chakra-ui/react';
import { Card } from '../../ui/parts/Card.tsx';
import { LoadingNote, Skeleton } from '../../ui/parts/states.tsx';

/** Three placeholder cards. @param what names what is loading, for screen readers */
export function AdminSkeletons({ what, h }: { what: string; h: string }) {
  return (
    <Flex direction="column" gap="3.5">
      <LoadingNote>{`Loading ${what}`}</LoadingNote>
      {[0, 1, 2].map((index) => (
        <Card key={index} animation="appear 1ms 150ms both">
          <Skeleton h="6" w="40%" />
          <Skeleton h={h} w="full" mt="4" />
        </Card>
      ))}
    </Flex>
  );
}
