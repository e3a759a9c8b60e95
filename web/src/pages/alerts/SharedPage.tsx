import { Box } from '@chakra-ui/react';
import { useParams } from 'react-router-dom';
import { SharedView } from '../../features/sharing/SharedView.tsx';

/** What somebody shares by a link, for anybody who has it. */
export function SharedPage() {
  const { token = '' } = useParams();
  return (
    <Box maxW="960px" mx="auto" px={{ base: '4', md: '6' }} py={{ base: '6', md: '10' }}>
      <SharedView key={token} token={token} />
    </Box>
  );
}
