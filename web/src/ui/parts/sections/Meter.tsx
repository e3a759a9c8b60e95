import { Box, Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';

interface MeterProps {
  used: number;
  limit: number;
  /** Texts to the left and right above the bar; one below the other if they don't fit. */
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
