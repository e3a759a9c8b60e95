import { Box, Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';

interface AlertMeterProps {
  used: number;
  limit: number;
  /** Left and right above the bar. */
  children: ReactNode;
}

/** How much of an alert limit is used; the words above the bar say it, the bar shows it. */
export function AlertMeter({ used, limit, children }: AlertMeterProps) {
  const percent = limit > 0 ? Math.min(100, (used / limit) * 100) : 100;
  return (
    <div>
      <Flex justify="space-between" gap="3" fontSize="xs" color="muted" fontVariantNumeric="tabular-nums">
        {children}
      </Flex>
      <Box aria-hidden mt="1.5" h="6px" borderRadius="full" bg="sunk" _dark={{ bg: 'line' }} overflow="hidden">
        <Box h="full" borderRadius="full" bg={used > limit ? 'fieldLine' : 'brand'} style={{ width: `${percent}%` }} />
      </Box>
    </div>
  );
}
