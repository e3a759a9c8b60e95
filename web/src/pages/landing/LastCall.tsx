import { Box, chakra, Flex } from '@chakra-ui/react';
import { LinkButton } from '../../ui/parts/Button.tsx';
import { Heading } from '../../ui/parts/Card.tsx';
import { Band } from './Band.tsx';

/** The last band: the beam, one sentence, one button. */
export function LastCall({ to }: { to: string }) {
  return (
    <Band tone="night" labelledBy="last-call" backdrop={<Beam />}>
      <Flex direction="column" align="center" gap="4" textAlign="center" position="relative" color="ink">
        <Heading id="last-call" size="2xl" maxW="22ch">
          Somewhere, a seller is taking the photos right now.
        </Heading>
        <chakra.p color="muted" fontSize="lg" textWrap="balance">
          One alert is free for as long as you like.
        </chakra.p>
        <LinkButton to={to} size="lg" mt="2">
          Start Creating Alerts Now
        </LinkButton>
      </Flex>
    </Band>
  );
}

function Beam() {
  return (
    <Box aria-hidden position="absolute" inset="0" pointerEvents="none">
      <svg viewBox="0 0 1200 320" width="100%" height="100%" preserveAspectRatio="none" aria-hidden="true">
        <defs>
          <linearGradient id="last-beam" x1="0" x2="1">
            <stop offset="0" stopColor="#FFC04D" stopOpacity="0.3" />
            <stop offset="1" stopColor="#FFC04D" stopOpacity="0.02" />
          </linearGradient>
        </defs>
        <path d="M-20 150 1200 0v320L-20 176z" fill="url(#last-beam)" />
      </svg>
    </Box>
  );
}
