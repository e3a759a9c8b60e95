import { Box, chakra } from '@chakra-ui/react';
import { BellPlus, MessageSquareText, Zap } from 'lucide-react';
import { Heading } from '../../ui/parts/Card.tsx';
import { Merits } from '../../ui/parts/sections/Merits.tsx';

const extras = [
  { Icon: MessageSquareText, title: 'Text messages', text: 'An SMS beside the email, so that no car slips past you.' },
  { Icon: BellPlus, title: 'More alerts', text: 'Watch for 5, 20 or 100 cars at a time instead of one.' },
  { Icon: Zap, title: 'More behind it', text: 'Priority processing, premium support, and the API for dealers.' },
];

/** For those on Free: what a paid plan adds. */
export function PaidExtras() {
  return (
    <chakra.section aria-labelledby="extras" bg="sunk" borderRadius="card" p={{ base: '4', md: '5' }}>
      <Heading id="extras" size="md">
        What a paid plan adds
      </Heading>
      <Box mt="4">
        <Merits merits={extras} />
      </Box>
    </chakra.section>
  );
}
