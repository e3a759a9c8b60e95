import { chakra } from '@chakra-ui/react';
import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';

const Details = chakra('details', {
  base: { fontSize: 'xs', color: 'muted', '&[open] > summary [data-chevron]': { transform: 'rotate(180deg)' } },
});

const Summary = chakra('summary', {
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    gap: '1.5',
    minH: { base: '44px', md: '24px' },
    borderRadius: 'chip',
    cursor: 'pointer',
    listStyle: 'none',
    fontVariantNumeric: 'tabular-nums',
    '&::-webkit-details-marker': { display: 'none' },
    _hover: { color: 'ink' },
    '& svg': { flexShrink: 0 },
  },
});

interface LineDisclosureProps {
  summary: ReactNode;
  children: ReactNode;
  onToggle?: (isOpen: boolean) => void;
}

/** A line in small type that opens more below it. */
export function LineDisclosure({ summary, children, onToggle }: LineDisclosureProps) {
  return (
    <Details onToggle={(event) => onToggle?.(event.currentTarget.open)}>
      <Summary>
        {summary}
        <ChevronDown size={14} aria-hidden data-chevron />
      </Summary>
      {children}
    </Details>
  );
}
