import { Box } from '@chakra-ui/react';

/** The amber dot that means watching. `on={false}` is grey and still; the words beside it say the state. */
export function LiveDot({ on = true }: { on?: boolean }) {
  return (
    <Box aria-hidden position="relative" w="16px" h="16px" flexShrink={0} display="grid" placeItems="center">
      {on ? (
        <Box
          position="absolute"
          inset="0"
          borderRadius="full"
          bg="beam"
          opacity="0.35"
          animation="beam 2s ease-out infinite"
        />
      ) : null}
      <Box position="absolute" inset="0" borderRadius="full" bg={on ? 'beam' : 'muted'} opacity="0.22" />
      <Box w="8px" h="8px" borderRadius="full" bg={on ? 'beam' : 'muted'} />
    </Box>
  );
}
