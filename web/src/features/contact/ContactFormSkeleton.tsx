import { Flex, Grid } from '@chakra-ui/react';
import { LoadingNote, Skeleton } from '../../ui/parts/states.tsx';

/** Holds the form's place until it is known who writes. */
export function ContactFormSkeleton() {
  return (
    <Flex direction="column" gap="4">
      <LoadingNote />
      <Grid templateColumns={{ base: '1fr', sm: '1fr 1fr' }} gap="4">
        <FieldSkeleton />
        <FieldSkeleton />
      </Grid>
      <FieldSkeleton />
      <FieldSkeleton h={{ base: '166px', md: '157px' }} />
      <Skeleton h="50px" w={{ base: 'full', sm: '40' }} borderRadius="field" />
    </Flex>
  );
}

function FieldSkeleton({ h = '44px' }: { h?: string | { base: string; md: string } }) {
  return (
    <div>
      <Skeleton h="3" w="20" mt="1" mb="2.5" />
      <Skeleton h={h} borderRadius="field" />
    </div>
  );
}
