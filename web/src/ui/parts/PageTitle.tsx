import { Box, Flex } from '@chakra-ui/react';
import { type ReactNode, useEffect } from 'react';
import { isServer, setDrawnTitle } from '../../lib/state/drawn.ts';
import { newCarCount } from '../../lib/state/new-cars.ts';
import { useStore } from '../../lib/state/store.ts';
import { Heading, Muted } from './Card.tsx';

interface PageTitleProps {
  /** The h1, and the document's title unless `documentTitle` is given. */
  title: string;
  documentTitle?: string;
  subtitle?: ReactNode;
  /** A mark beside the title, such as a Badge. */
  mark?: ReactNode;
  /** Buttons at the right, below where there is no room. */
  actions?: ReactNode;
}

/** Head of a page: h1, subtitle, actions; also sets the document's title. */
export function PageTitle({ title, documentTitle = title, subtitle, mark, actions }: PageTitleProps) {
  useDocumentTitle(documentTitle);
  return (
    <Flex wrap={{ base: 'wrap', md: 'nowrap' }} gap={{ base: '3', md: '4' }} align="center" justify="space-between">
      <Box minW="0">
        <Flex align="center" gap="3" wrap="wrap">
          <Heading as="h1" size="2xl" overflowWrap="anywhere">
            {title}
          </Heading>
          {mark}
        </Flex>
        {subtitle ? (
          <Muted as="div" fontSize="md" mt="1.5">
            {subtitle}
          </Muted>
        ) : null}
      </Box>
      {actions ? (
        <Flex gap="3" wrap="wrap" flexShrink={{ base: 1, md: 0 }}>
          {actions}
        </Flex>
      ) : null}
    </Flex>
  );
}

/** The tab's title; in front of it how many cars are new. */
export function useDocumentTitle(title: string): void {
  const count = useStore(newCarCount);
  if (isServer) setDrawnTitle(title);
  useEffect(() => {
    document.title = `${count ? `(${count}) ` : ''}${title} · LotWatch`;
  }, [title, count]);
}
