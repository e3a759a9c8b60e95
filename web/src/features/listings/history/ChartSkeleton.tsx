import { Box, Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { LoadingNote, Skeleton } from '../../../ui/parts/states.tsx';

/** The least height of a chart with its heading, so that nothing below moves when it is there, or when there is none. */
export const MIN_HEIGHT = '252px';

/** In the place of a chart that is loading. */
export function ChartSkeleton({ label }: { label: string }) {
  return (
    <Box>
      <LoadingNote>{label}</LoadingNote>
      <Skeleton h={MIN_HEIGHT} borderRadius="field" />
    </Box>
  );
}

/** The charts below each other. */
export function Charts({ children }: { children: ReactNode }) {
  return (
    <Flex direction="column" gap="5" py="2">
      {children}
    </Flex>
  );
}

/** In the place of a chart that there is none of. */
export function NoChart({ children, role }: { children: ReactNode; role?: 'alert' }) {
  return (
    <Flex
      role={role}
      direction="column"
      align="center"
      justify="center"
      textAlign="center"
      textWrap="balance"
      gap="3"
      flex="1"
      minH={role === 'alert' ? MIN_HEIGHT : undefined}
      bg="sunk"
      color="ink"
      borderRadius="field"
      px="5"
      py="4"
    >
      {children}
    </Flex>
  );
}
