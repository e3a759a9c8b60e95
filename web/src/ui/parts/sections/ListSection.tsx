import { Box, chakra, Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { Card, Heading, Muted } from '../Card.tsx';
import { LoadingNote, Skeleton } from '../states.tsx';

interface ListSectionProps {
  /** Of the heading, which names the section. */
  id: string;
  title: string;
  /** A sentence below the title. */
  about: ReactNode;
  /** The button that adds to the list. */
  action: ReactNode;
  /** Between the heading and the list. */
  notice?: ReactNode;
  /** The text for screen readers while the list loads. */
  loading: string;
  /** The list; undefined while it loads. */
  children: ReactNode;
}

/** A card that holds a list, with the button that adds to it. */
export function ListSection({ id, title, about, action, notice, loading, children }: ListSectionProps) {
  return (
    <Card as="section" aria-labelledby={id} pad="lg">
      <Flex gap="4" justify="space-between" align="center" wrap="wrap">
        <Box minW="0" flex="1 1 260px">
          <Heading id={id} size="md">
            {title}
          </Heading>
          <Muted mt="1">{about}</Muted>
        </Box>
        {action}
      </Flex>
      {notice ? <Box mt="5">{notice}</Box> : null}
      <Box mt="4">{children ?? <RowSkeletons>{loading}</RowSkeletons>}</Box>
    </Card>
  );
}

/** The rows of a `ListSection`. */
export const RowList = chakra('ul', { base: { listStyleType: 'none', p: '0', m: '0' } });

/** Instead of rows where there are none yet. */
export function NoRows({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Box bg="sunk" borderRadius="field" p="5" textAlign="center">
      <chakra.p fontWeight="600">{title}</chakra.p>
      <Muted mt="1" textWrap="balance">
        {children}
      </Muted>
    </Box>
  );
}

/** An entry of a `RowList`. `sided`: its parts are side by side where there is room. */
export const ListRow = chakra('li', {
  base: { py: '4', borderTopWidth: '1px', borderColor: 'line', _first: { borderTopWidth: '0' } },
  variants: {
    sided: {
      true: {
        display: 'flex',
        flexDirection: { base: 'column', md: 'row' },
        alignItems: { base: 'stretch', md: 'center' },
        gap: { base: '3', md: '4' },
      },
    },
  },
});

function RowSkeletons({ children }: { children: string }) {
  return (
    <>
      <LoadingNote>{children}</LoadingNote>
      <Skeleton h="22" mb="3" />
      <Skeleton h="22" />
    </>
  );
}

/** A placeholder of a whole section: heading, sentence, rows. */
export function SectionSkeleton({ rows = 2 }: { rows?: number }) {
  return (
    <Card pad="lg" aria-hidden animation="appear 1ms 150ms both">
      <Skeleton h="5" w="130px" />
      <Skeleton h="4" w={{ base: '90%', md: '55%' }} mt="2.5" />
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <Skeleton key={row} h="14" mt="4" />
      ))}
    </Card>
  );
}
