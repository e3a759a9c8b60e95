import { Box, chakra, Flex } from '@chakra-ui/react';
import { ChevronDown } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Card } from './Card.tsx';

const Summary = chakra('summary', {
  base: {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: '3',
    py: '3',
    minH: '48px',
    cursor: 'pointer',
    borderRadius: 'field',
    listStyle: 'none',
    '&::-webkit-details-marker': { display: 'none' },
    '& > svg': { flexShrink: '0', color: 'muted', transition: 'transform 150ms' },
  },
});

interface DisclosureProps {
  title: string;
  /** What one finds inside, or what it says now, in one line. */
  hint?: ReactNode;
  /** Beside the title. */
  mark?: ReactNode;
  /** In a form it is as plain as a field, and its fields are there while it is closed; else it is a card of the page. */
  inForm?: boolean;
  /** Within a card it is a row of it. */
  inCard?: boolean;
  /** Whether it is open, where that follows from more than the viewer's presses. */
  open?: boolean;
  onToggle?: (isOpen: boolean) => void;
  /** On a page mounted when it is first opened. */
  children: ReactNode;
}

/** What opens below its title: closed it is a title and a line. */
export function Disclosure({
  title,
  hint,
  mark,
  inForm = false,
  inCard = false,
  open,
  onToggle,
  children,
}: DisclosureProps) {
  const [wasOpened, setWasOpened] = useState(false);
  return (
    <Card
      asChild
      pad="none"
      px={inForm ? { base: '3.5', md: '4' } : '4'}
      css={{ '&[open] > summary > svg': { transform: 'rotate(180deg)' } }}
      {...(inForm && { bg: 'transparent', borderRadius: 'field', boxShadow: 'none' })}
      {...(inCard && { px: '0', border: 'none', borderRadius: '0', boxShadow: 'none' })}
    >
      <details
        open={open}
        onToggle={({ currentTarget }) => {
          if (currentTarget.open) setWasOpened(true);
          onToggle?.(currentTarget.open);
        }}
      >
        <Summary>
          <Box minW="0">
            <Flex align="center" gap="2.5" wrap="wrap">
              <chakra.span as={inForm ? 'span' : 'h2'} fontWeight="600" fontSize={inForm ? 'inherit' : 'md'}>
                {title}
              </chakra.span>
              {mark}
            </Flex>
            {hint ? (
              <chakra.span display="block" fontSize="sm" color="muted">
                {hint}
              </chakra.span>
            ) : null}
          </Box>
          <ChevronDown size={18} aria-hidden />
        </Summary>
        <Box pb="4" pt="1">
          {inForm || wasOpened ? children : null}
        </Box>
      </details>
    </Card>
  );
}
