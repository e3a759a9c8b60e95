import { Box, Flex } from '@chakra-ui/react';
import { TriangleAlert } from 'lucide-react';
import type { ListingCard_ListingFragment } from '../../../gql/graphql.ts';
import { LineDisclosure } from '../../../ui/parts/LineDisclosure.tsx';

/** Why to look twice at a car, in sentences behind a line. Mostly nothing. */
export function Cautions({ cautions }: Pick<ListingCard_ListingFragment, 'cautions'>) {
  if (cautions.length === 0) return null;
  return (
    <LineDisclosure
      summary={
        <>
          <TriangleAlert size={14} aria-hidden />
          {cautions.length === 1
            ? 'Look twice: one thing is unusual'
            : `Look twice: ${cautions.length} things are unusual`}
        </>
      }
    >
      <Flex as="ul" aria-label="Why to look twice" direction="column" gap="1.5" listStyleType="none" py="1">
        {cautions.map(({ kind, reason }) => (
          <Box as="li" key={kind} bg="sunk" color="ink" borderRadius="chip" px="3" py="2" overflowWrap="anywhere">
            {reason}
          </Box>
        ))}
      </Flex>
    </LineDisclosure>
  );
}
