import { useQuery } from '@apollo/client/react';
import { Box, chakra, Flex } from '@chakra-ui/react';
import { FileText } from 'lucide-react';
import { useState } from 'react';
import { graphql } from '../../../gql/gql.ts';
import type { SellerTextQuery } from '../../../gql/graphql.ts';
import { readFault } from '../../../lib/server/faults/errors.ts';
import { useFailure } from '../../../lib/server/faults/use-failure.ts';
import { FormError } from '../../../ui/form/FormError.tsx';
import { Button } from '../../../ui/parts/Button.tsx';
import { LineDisclosure } from '../../../ui/parts/LineDisclosure.tsx';
import { LoadingNote, Skeleton } from '../../../ui/parts/states.tsx';

const SellerTextDocument = graphql(`
  query SellerText($id: ID!) {
    sellerText(listingId: $id) {
      description
      factsRead { fact value from words }
    }
  }
`);

/** What the seller wrote, in full, and where facts were read, once it is opened. */
export function SellerText({ id }: { id: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <LineDisclosure
      onToggle={setIsOpen}
      summary={
        <>
          <FileText size={14} aria-hidden />
          What the seller wrote
        </>
      }
    >
      {isOpen ? <Loaded id={id} /> : null}
    </LineDisclosure>
  );
}

function Loaded({ id }: { id: string }) {
  const result = useQuery(SellerTextDocument, { variables: { id } });
  const error = useFailure(result);
  const text = result.data?.sellerText;
  if (text) return <Shown {...text} />;
  if (error) {
    return (
      <Flex direction="column" align="flex-start" gap="2" py="2">
        <FormError>{`What the seller wrote could not be loaded. ${readFault(error).message}`}</FormError>
        <Button variant="outline" size="sm" onClick={() => void result.refetch().catch(() => undefined)}>
          Try again
        </Button>
      </Flex>
    );
  }
  return (
    <Box py="2">
      <LoadingNote>Loading what the seller wrote</LoadingNote>
      <Skeleton h="96px" borderRadius="field" />
    </Box>
  );
}

function Shown({ description, factsRead }: SellerTextQuery['sellerText']) {
  const inText = factsRead.filter(({ words }) => words != null);
  const inFields = factsRead.filter(({ words }) => words == null);
  return (
    <Flex direction="column" gap="2" py="2">
      {description ? (
        <chakra.p
          dir="auto"
          bg="sunk"
          color="ink"
          borderRadius="field"
          px="3.5"
          py="2.5"
          fontSize="sm"
          whiteSpace="pre-wrap"
          overflowWrap="anywhere"
        >
          {description}
        </chakra.p>
      ) : (
        <Box>The seller wrote nothing beside the title.</Box>
      )}
      {factsRead.length > 0 ? (
        <Flex as="ul" aria-label="Where facts were read" direction="column" gap="1" listStyleType="none">
          {inText.map(({ fact, value, from, words }) => (
            <Box as="li" key={fact} overflowWrap="anywhere">
              <chakra.span color="ink" fontWeight="600">
                {value}
              </chakra.span>
              : read in the {from}, “<chakra.bdi>{words}</chakra.bdi>”
            </Box>
          ))}
          {inFields.length > 0 ? (
            <Box as="li" overflowWrap="anywhere">
              Stated in fields of the listing: {inFields.map(({ value }) => value).join(', ')}
            </Box>
          ) : null}
        </Flex>
      ) : null}
    </Flex>
  );
}
