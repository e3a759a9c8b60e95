import type { ApolloClient } from '@apollo/client';
import { useApolloClient } from '@apollo/client/react';
import { Box, chakra, Flex } from '@chakra-ui/react';
import { CircleCheck, CircleX } from 'lucide-react';
import { useState } from 'react';
import { graphql } from '../../gql/gql.ts';
import { readFault } from '../../lib/server/faults/errors.ts';
import { fetchWithTimeout, nonJsonText } from '../../lib/server/faults/fetch-texts.ts';
import { Button } from '../../ui/parts/Button.tsx';
import { Card, Heading, Muted } from '../../ui/parts/Card.tsx';

/** Shown in test mode below the error view: calls that help to find out why there are no plans, with their results. */
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
        Diagnostics
      </Heading>
      <Muted mt="1">These tools are available only in test mode.</Muted>
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

const CreateTestUserDocument = graphql(`
  mutation CreateTestUser($input: RegisterInput!) {
    register(input: $input) {
      id
      username
      email
      phone
    }
  }
`);

interface DebugResult {
  isGood: boolean;
  /** One line. */
  summary: string;
  /** The answer as readable JSON. */
  detail?: string;
}

const readable = (value: unknown): string => JSON.stringify(value, null, 2);

async function callApi(path: string, worked: (answer: Record<string, unknown>) => string): Promise<DebugResult> {
  const response = await fetchWithTimeout(path, { headers: { accept: 'application/json' } });
  const { status, statusText, headers } = response;
  const body = await response.text();
  try {
    const answer = JSON.parse(body) as Record<string, unknown>;
    if (response.ok) return { isGood: true, summary: worked(answer), detail: readable(answer) };
    return { isGood: false, summary: `${status}: ${String(answer.message ?? statusText)}`, detail: readable(answer) };
  } catch (cause) {
    const contentType = headers.get('content-type');
    return { isGood: false, summary: nonJsonText({ status, statusText, contentType, body }, cause) };
  }
}

const plansSummary = ({ count, status }: Record<string, unknown>) =>
  `The server has ${String(count)} plans: ${String(status)}.`;

/** Registers another user without signing in: the answer's cookie is ignored. */
async function createTestUser(client: ApolloClient): Promise<DebugResult> {
  const random = Math.random().toString(36).slice(2, 10);
  const username = `test-${random}`;
  const password = `password-${random}`;
  const input = { username, password, email: `${username}@example.com`, phone: '(212) 555-0100' };
  const { data } = await client.mutate({
    mutation: CreateTestUserDocument,
    variables: { input },
    fetchPolicy: 'no-cache',
    context: { credentials: 'omit' },
  });
  const { id, email, phone } = data?.register ?? {};
  return {
    isGood: true,
    summary: `Created ${username}. You are still signed in as yourself.`,
    detail: readable({ id, username, password, email, phone }),
  };
}

/** The calls that help to find out why there are no plans. */
const debugCalls: { name: string; about: string; call: (client: ApolloClient) => Promise<DebugResult> }[] = [
  {
    name: 'Test API Connection',
    about: 'Asks the server for your plan.',
    call: () => callApi('/api/debug/subscription', () => 'The API answered with your plan.'),
  },
  { name: 'Create Test User', about: 'Registers a new user, and shows the password.', call: createTestUser },
  {
    name: 'Check Plans',
    about: 'Counts the plans that the server has.',
    call: () => callApi('/api/debug/subscription-plans', plansSummary),
  },
  {
    name: 'Create Default Plans',
    about: 'Creates the four plans, or repairs them.',
    call: () => callApi('/api/debug/ensure-subscription-plans', plansSummary),
  },
];

/** Runs one call; an error is a result too. */
async function runDebugCall(call: () => Promise<DebugResult>): Promise<DebugResult> {
  try {
    return await call();
  } catch (error) {
    return { isGood: false, summary: readFault(error).message };
  }
}
