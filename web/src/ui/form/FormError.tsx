import { Box } from '@chakra-ui/react';

/** The reason why a form was refused as a whole. */
export function FormError({ children }: { children: string | undefined }) {
  if (children === undefined) return null;
  return (
    <Box role="alert" px="4" py="3" borderRadius="field" bg="badSoft" color="bad" fontSize="sm" overflowWrap="anywhere">
      {children}
    </Box>
  );
}
