import { useApolloClient } from '@apollo/client/react';
import { Box, chakra, Flex } from '@chakra-ui/react';
import { CircleCheck, CircleX } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../ui/parts/Button.tsx';
import { Card, Heading, Muted } from '../../../ui/parts/Card.tsx';
import { type DebugResult, debugCalls, runDebugCall } from './debug-calls.ts';

/** In test mode below the error view: calls that show why there are no plans, each with its result. */
export function DebugPanel() {
  const client = useApolloClient();
  const [results, setResults] = useState<Record<string, DebugResult>>({});
  const [pending, setPending] = useState<string | null>(null);
  const run = async ({ name, call }: (typeof debugCalls)[number]) => {
    if (pending) return;
    setPending(name);
    const result = await runDebugCall(() => call(client));
    setResults((before) => ({ ...before, [name]: result }));
    setPending(null);
  };
  return (
    <Card as="section" aria-labelledby="debug">
      <Heading id="debug" size="md">
        Find out why
      </Heading>
      <Muted mt="1">These tools are only here in test mode.</Muted>
      <chakra.ul listStyleType="none" p="0" mt="3">
        {debugCalls.map((one) => (
          <chakra.li key={one.name} py="3" borderTopWidth="1px" borderColor="line">
            <Flex justify="space-between" align="center" gap="3" wrap="wrap">
              <Muted flex="1" minW="180px">
                {one.about}
              </Muted>
              <Button
                variant="outline"
                minW={{ base: 'full', sm: '190px' }}
                aria-busy={pending === one.name}
                onClick={() => void run(one)}
              >
                {one.name}
              </Button>
            </Flex>
            <div role="status">
              <Result name={one.name} result={results[one.name]} />
            </div>
          </chakra.li>
        ))}
      </chakra.ul>
    </Card>
  );
}

function Result({ name, result }: { name: string; result: DebugResult | undefined }) {
  if (!result) return null;
  const { isGood, summary, detail } = result;
  const Icon = isGood ? CircleCheck : CircleX;
  return (
    <Box mt="3" p="3.5" bg="sunk" borderRadius="field">
      <Flex gap="2" fontSize="sm" fontWeight="600">
        <Box color={isGood ? 'good' : 'bad'} pt="0.5" flexShrink={0}>
          <Icon size={17} aria-hidden />
        </Box>
        <chakra.span overflowWrap="anywhere">{summary}</chakra.span>
      </Flex>
      {detail ? (
        <chakra.pre
          // A long answer scrolls by keyboard too.
          tabIndex={0}
          role="region"
          aria-label={`Answer to ${name}`}
          mt="2.5"
          maxH="220px"
          overflow="auto"
          fontSize="xs"
          lineHeight="1.5"
          fontFamily="ui-monospace, monospace"
          borderRadius="chip"
        >
          {detail}
        </chakra.pre>
      ) : null}
    </Box>
  );
}
