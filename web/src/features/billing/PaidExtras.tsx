import { Box, chakra } from '@chakra-ui/react';
import { BellPlus, MessageSquareText, Zap } from 'lucide-react';
import { Heading, Muted } from '../../ui/parts/Card.tsx';

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
      <chakra.ul
        listStyleType="none"
        p="0"
        mt="4"
        display="grid"
        gridTemplateColumns={{ base: '1fr', md: 'repeat(3, 1fr)' }}
        gap={{ base: '4', md: '6' }}
      >
        {extras.map(({ Icon, title, text }) => (
          <chakra.li key={title} display="flex" gap="3">
            <Box color="brand" pt="0.5" flexShrink={0}>
              <Icon size={20} aria-hidden />
            </Box>
            <div>
              <chakra.p fontWeight="600">{title}</chakra.p>
              <Muted>{text}</Muted>
            </div>
          </chakra.li>
        ))}
      </chakra.ul>
    </chakra.section>
  );
}
