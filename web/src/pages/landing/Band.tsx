import { Box, chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';

/** Dark in both modes: the lot at night. Its content uses the dark tokens. */
export const night = {
  bg: '#0C1413',
  color: '#E9F0EE',
  position: 'relative',
  overflow: 'hidden',
  borderBottomWidth: '1px',
  borderColor: '#243331',
  // The brand of the light mode would be lost on the dark lot.
  '--focus-ring': '#57C9BC',
} as const;

const Section = chakra('section', {
  variants: {
    tone: {
      paper: {},
      sunk: { bg: 'sunk', borderYWidth: '1px', borderColor: 'line' },
      night,
    },
  },
});

interface BandProps {
  tone?: 'paper' | 'sunk' | 'night';
  /** The id of the heading that names the section. */
  labelledBy: string;
  /** Drawn behind the content, over the whole width. */
  backdrop?: ReactNode;
  children: ReactNode;
}

/** A stripe of the landing page over the whole width, its content no wider than a page. */
export function Band({ tone = 'paper', labelledBy, backdrop, children }: BandProps) {
  return (
    <Section tone={tone} aria-labelledby={labelledBy} className={tone === 'night' ? 'dark' : undefined}>
      {backdrop}
      <Box
        maxW="calc(var(--chakra-sizes-content) + 3rem)"
        mx="auto"
        px={{ base: '4', md: '6' }}
        py={{ base: '12', md: '20' }}
        position="relative"
      >
        {children}
      </Box>
    </Section>
  );
}
