import { chakra, Flex } from '@chakra-ui/react';
import { AnchorButton } from '../../ui/parts/Button.tsx';
import { Card, Heading, Muted } from '../../ui/parts/Card.tsx';

/** The first call, and where the rest is written. */
export function ApiHowTo() {
  const call = `curl ${location.origin}/api/alerts/user \\\n  -H "Authorization: Bearer lw_live_…"`;
  return (
    <Card as="section" aria-labelledby="how-to" pad="lg">
      <Heading id="how-to" size="md">
        Your first call
      </Heading>
      <Muted mt="1">
        The key goes along as a header, the same on REST, GraphQL and live connections. Every answer says how many of
        the hour's requests are left.
      </Muted>
      <chakra.pre
        mt="4"
        p="4"
        bg="sunk"
        borderRadius="field"
        fontFamily="ui-monospace, monospace"
        fontSize="xs"
        lineHeight="1.6"
        overflowX="auto"
        // A long address scrolls by keyboard too.
        tabIndex={0}
        role="region"
        aria-label="Example call"
      >
        {call}
      </chakra.pre>
      <Flex mt="4" gap="3" wrap="wrap">
        <AnchorButton href="/api/docs" variant="outline" size="sm">
          REST reference
        </AnchorButton>
        <AnchorButton href="/playground" variant="outline" size="sm">
          GraphQL playground
        </AnchorButton>
      </Flex>
    </Card>
  );
}
