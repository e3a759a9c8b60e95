import { Box } from '@chakra-ui/react';
import { LoadingNote, Skeleton } from '../../../ui/parts/states.tsx';

/** In the place of a chart that is loading. */
export function ChartSkeleton({ label }: { label: string }) {
  return (
    <Box py="2">
      <LoadingNote>{label}</LoadingNote>
      <Skeleton h="220px" borderRadius="field" />
    </Box>
  );
}
