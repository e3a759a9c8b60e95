import { Box, Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';

interface MeterProps {
  used: number;
  limit: number;
  /** Left and right above the bar; where they don't fit beside each other, one below the other. */
  children: ReactNode;
}

/** How much of a limit is used; the words above the bar say it, the bar shows it. */
export function Meter({ used, limit, children }: MeterProps) {
  const percent = limit > 0 ? Math.min(100, (used / limit) * 100) : 100;
  return (
    <div>
      <Flex
        justify="space-between"
        columnGap="3"
        wrap="wrap"
        fontSize="xs"
        color="muted"
        fontVariantNumeric="tabular-nums"
      >
        {children}
      </Flex>
      <Box aria-hidden mt="1.5" h="6px" borderRadius="full" bg="sunk" _dark={{ bg: 'line' }} overflow="hidden">
        <Box h="full" borderRadius="full" bg={used > limit ? 'fieldLine' : 'brand'} style={{ width: `${percent}%` }} />
      </Box>
    </div>
  );
}
