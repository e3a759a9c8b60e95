import { Flex, Grid } from '@chakra-ui/react';
import { Card } from '../../ui/parts/Card.tsx';
import { LoadingNote, Skeleton } from '../../ui/parts/states.tsx';

/** The form's sections, while it isn't known whether something stands above them. */
export function AlertFormSkeleton() {
  return (
    <>
      <LoadingNote>Loading the form</LoadingNote>
      <Card pad="lg" aria-hidden display="flex" flexDirection="column" gap="8" animation="appear 1ms 150ms both">
        {['car', 'where', 'price', 'telling'].map((section) => (
          <Flex key={section} direction="column" gap="4">
            <Skeleton h="24px" w="120px" />
            <Grid templateColumns="1fr 1fr" gap="4">
              <Skeleton h="72px" borderRadius="field" />
              <Skeleton h="72px" borderRadius="field" />
            </Grid>
          </Flex>
        ))}
      </Card>
    </>
  );
}
