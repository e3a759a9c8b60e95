import { Box } from '@chakra-ui/react';

/** Why a form was refused as a whole; it stays with what was filled in. */
export function FormRefusal({ children }: { children: string | undefined }) {
  if (children === undefined) return null;
  return (
    <Box role="alert" px="4" py="3" borderRadius="field" bg="badSoft" color="bad" fontSize="sm" overflowWrap="anywhere">
      {children}
    </Box>
  );
}
