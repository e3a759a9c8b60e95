import { Box, Grid } from '@chakra-ui/react';
import type { ReactNode } from 'react';

interface AlertFormLayoutProps {
  /** The fields. */
  children: ReactNode;
  /** Beside the fields where there is room, else below them. */
  beside: ReactNode;
  /** The last row. */
  actions?: ReactNode;
}

/** Fields, what they would bring, and the buttons, in the order in which Tab visits them. */
export function AlertFormLayout({ children, beside, actions }: AlertFormLayoutProps) {
  return (
    <Grid
      // In a grid's row nothing could stick above the window's lower edge.
      display={{ base: 'flex', xl: 'grid' }}
      flexDirection="column"
      templateColumns={{ base: 'minmax(0, 1fr)', xl: 'minmax(0, var(--chakra-sizes-form)) 300px' }}
      templateRows={{ xl: 'auto 1fr' }}
      columnGap="6"
      rowGap={{ base: '4', md: '5' }}
      maxW={{ base: 'form', xl: 'none' }}
    >
      {children}
      <Box gridRow={{ xl: '1 / 3' }} gridColumn={{ xl: '2' }} minW="0">
        {beside}
      </Box>
      {actions}
    </Grid>
  );
}
