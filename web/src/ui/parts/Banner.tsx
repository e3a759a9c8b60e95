import { Box, Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';

interface BannerProps {
  label: string;
  tone: 'bad' | 'brand';
  icon: ReactNode;
  action: ReactNode;
  children: ReactNode;
}

/** A bar across the page with an action. */
export function Banner({ label, tone, icon, action, children }: BannerProps) {
  return (
    <Flex
      as="section"
      aria-label={label}
      bg={tone === 'bad' ? 'badSoft' : 'brandSoft'}
      color="ink"
      px={{ base: '4', md: '6' }}
      py="2"
      gap="3"
      // On the smallest phones the button has a line of its own.
      wrap="wrap"
      align="center"
      justify="center"
      fontSize="sm"
    >
      <Box color={tone === 'bad' ? 'bad' : 'brand'} flexShrink={0}>
        {icon}
      </Box>
      <Box flex={{ base: '1 1 160px', md: '0 1 auto' }} minW="0" overflowWrap="anywhere">
        {children}
      </Box>
      <Box flexShrink={0}>{action}</Box>
    </Flex>
  );
}
