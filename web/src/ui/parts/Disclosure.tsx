import { Box, chakra } from '@chakra-ui/react';
import { ChevronDown } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Card } from './Card.tsx';

interface DisclosureProps {
  title: string;
  /** What one finds inside, in one line. */
  hint: string;
  /** Mounted when it is first opened. */
  children: ReactNode;
}

/** A card that opens: closed it is a title and a line. */
export function Disclosure({ title, hint, children }: DisclosureProps) {
  const [wasOpened, setWasOpened] = useState(false);
  return (
    <Card
      as="details"
      pad="none"
      px="4"
      onToggle={(event: { currentTarget: HTMLElement }) =>
        setWasOpened(wasOpened || event.currentTarget.hasAttribute('open'))
      }
    >
      <chakra.summary
        display="flex"
        alignItems="center"
        justifyContent="space-between"
        gap="3"
        py="3"
        minH="44px"
        cursor="pointer"
        borderRadius="field"
        css={{ listStyle: 'none', '&::-webkit-details-marker': { display: 'none' } }}
      >
        <Box minW="0">
          <chakra.h2 fontWeight="600" fontSize="md">
            {title}
          </chakra.h2>
          <chakra.span display="block" fontSize="sm" color="muted">
            {hint}
          </chakra.span>
        </Box>
        <Box flexShrink={0} color="muted" css={{ 'details[open] > summary &': { transform: 'rotate(180deg)' } }}>
          <ChevronDown size={18} aria-hidden />
        </Box>
      </chakra.summary>
      <Box pb="4" pt="1">
        {wasOpened ? children : null}
      </Box>
    </Card>
  );
}
