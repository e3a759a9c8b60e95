import { Box } from '@chakra-ui/react';

/** A bar that fills while something is prepared; the text beside it says what. */
export function ProgressBar({ label }: { label: string }) {
  return (
    <Box role="status" aria-label={label} h="1.5" w="full" maxW="320px" borderRadius="full" bg="sunk" overflow="hidden">
      <Box
        h="full"
        w="full"
        bg="brand"
        borderRadius="full"
        transformOrigin="left"
        animation="fill 1500ms ease-out both"
      />
    </Box>
  );
}
