import { Box, chakra } from '@chakra-ui/react';
import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';

/** What opens a `details`. */
export function Summary({ children }: { children: ReactNode }) {
  return (
    <chakra.summary
      minH="44px"
      display="inline-flex"
      alignItems="center"
      gap="2"
      cursor="pointer"
      color="muted"
      fontSize="sm"
      borderRadius="chip"
      _hover={{ color: 'ink' }}
    >
      {children}
      <Box
        as="span"
        transition="transform 150ms"
        css={{ 'details[open] > summary &': { transform: 'rotate(180deg)' } }}
      >
        <ChevronDown size={16} aria-hidden />
      </Box>
    </chakra.summary>
  );
}
