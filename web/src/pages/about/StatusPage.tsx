import { Box } from '@chakra-ui/react';
import { StatusView } from '../../features/status/StatusView.tsx';
import { PageTitle } from '../../ui/parts/PageTitle.tsx';

/** Whether LotWatch works, for everybody. */
export function StatusPage() {
  return (
    <Box maxW="840px" mx="auto" px={{ base: '4', md: '6' }} py={{ base: '6', md: '12' }}>
      <PageTitle
        title="Status"
        subtitle="Whether LotWatch works right now, how far it is behind each source, and how fast messages leave."
      />
      <Box mt={{ base: '5', md: '8' }}>
        <StatusView />
      </Box>
    </Box>
  );
}
