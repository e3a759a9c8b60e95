import { Box } from '@chakra-ui/react';
import type { ReactNode } from 'react';

/** Says in a drawn page, to browsers that run no scripts, what does not work there. */
export function NeedsScript({ children }: { children: ReactNode }) {
  return (
    <noscript>
      <Box px="4" py="3" mb="5" borderRadius="field" bg="badSoft" fontSize="sm">
        {children}
      </Box>
    </noscript>
  );
}
