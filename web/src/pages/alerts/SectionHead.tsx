import { Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { Badge, Heading } from '../../ui/parts/Card.tsx';

interface SectionHeadProps {
  id: string;
  title: string;
  count?: number | undefined;
  children?: ReactNode;
}

/** The heading of a part of the dashboard, with a count and an action. */
export function SectionHead({ id, title, count, children }: SectionHeadProps) {
  return (
    <Flex align="center" justify="space-between" gap="3" minH="44px" mb="3">
      <Flex align="center" gap="2.5">
        <Heading as="h2" id={id} size="md">
          {title}
        </Heading>
        {count === undefined ? null : <Badge tone="quiet">{count}</Badge>}
      </Flex>
      {children}
    </Flex>
  );
}
