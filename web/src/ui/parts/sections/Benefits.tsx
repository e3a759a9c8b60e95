import { Box, chakra } from '@chakra-ui/react';
import type { LucideIcon } from 'lucide-react';
import { Muted } from '../Card.tsx';

export interface Benefit {
  Icon: LucideIcon;
  title: string;
  text: string;
}

/** What a plan adds: three beside each other, on phones one below the other. */
export function Benefits({ benefits }: { benefits: readonly Benefit[] }) {
  return (
    <chakra.ul
      listStyleType="none"
      p="0"
      display="grid"
      gridTemplateColumns={{ base: '1fr', md: 'repeat(3, 1fr)' }}
      gap={{ base: '4', md: '6' }}
    >
      {benefits.map(({ Icon, title, text }) => (
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
  );
}
