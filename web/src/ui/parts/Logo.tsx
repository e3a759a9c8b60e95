import { Flex } from '@chakra-ui/react';
import type { ComponentProps } from 'react';
import { Badge, Heading } from './Card.tsx';

/** The headlight: a ring and three beams on a rounded square. */
function LogoMark({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="var(--chakra-colors-brand)" />
      <circle cx="11.5" cy="16" r="5" fill="none" stroke="var(--chakra-colors-on-brand)" strokeWidth="3" />
      <g stroke="var(--chakra-colors-beam)" strokeWidth="2.6" strokeLinecap="round">
        <path d="M20.5 10.5h6M20.5 16h6M20.5 21.5h6" />
      </g>
    </svg>
  );
}

/** A small badge beside the name. */
export function MarkBadge(props: ComponentProps<typeof Badge>) {
  return (
    <Badge
      tone="outline"
      borderRadius="chip"
      px={{ base: '1', md: '1.5' }}
      minH="18px"
      fontSize="0.6875rem"
      letterSpacing="0.06em"
      {...props}
    />
  );
}

/** Mark, name and the BETA badge, which gives way where there is no room for it beside the name. */
export function Logo() {
  return (
    <Flex align="center" columnGap={{ base: '1.5', md: '2.5' }} wrap="wrap" maxH="7" overflow="hidden">
      <Flex align="center" gap={{ base: '1.5', md: '2.5' }} h="7">
        <LogoMark />
        <Heading as="span" size="md" whiteSpace="nowrap">
          LotWatch
        </Heading>
      </Flex>
      <MarkBadge>BETA</MarkBadge>
    </Flex>
  );
}
