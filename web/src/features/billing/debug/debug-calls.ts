import type { ApolloClient } from '@apollo/client';
import { graphql } from '../../../gql/gql.ts';
import { readFault } from '../../../lib/server/faults/errors.ts';
import { fetchReadably, textOfNoJson } from '../../../lib/server/faults/fetch-texts.ts';

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

export interface DebugResult {
  isGood: boolean;
  /** One line. */
  summary: string;
  /** What was answered, as readable JSON. */
  detail?: string;
}

const readable = (value: unknown): string => JSON.stringify(value, null, 2);

async function askApi(path: string, worked: (answer: Record<string, unknown>) => string): Promise<DebugResult> {
  const response = await fetchReadably(path, { headers: { accept: 'application/json' } });
  const { status, statusText, headers } = response;
  const body = await response.text();
  try {
    const answer = JSON.parse(body) as Record<string, unknown>;
    if (response.ok) return { isGood: true, summary: worked(answer), detail: readable(answer) };
    return { isGood: false, summary: `${status}: ${String(answer.message ?? statusText)}`, detail: readable(answer) };
  } catch (cause) {
    const contentType = headers.get('content-type');
    return { isGood: false, summary: textOfNoJson({ status, statusText, contentType, body }, cause) };
  }
}

const plansSummary = ({ count, status }: Record<string, unknown>) =>
  `The server has ${String(count)} plans: ${String(status)}.`;

/** Makes a user beside the one who is signed in: the answer's cookie is not kept. */
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
export const debugCalls: { name: string; about: string; call: (client: ApolloClient) => Promise<DebugResult> }[] = [
  {
    name: 'Test API Connection',
    about: 'Asks the server for your plan.',
    call: () => askApi('/api/debug/subscription', () => 'The API answers, and knows your plan.'),
  },
  { name: 'Create Test User', about: 'Registers somebody new, with a password to try.', call: createTestUser },
  {
    name: 'Check Plans',
    about: 'Counts the plans that the server has.',
    call: () => askApi('/api/debug/subscription-plans', plansSummary),
  },
  {
    name: 'Create Default Plans',
    about: 'Creates the four plans, or repairs them.',
    call: () => askApi('/api/debug/ensure-subscription-plans', plansSummary),
  },
];

/** Runs one call; an error is a result too. */
export async function runDebugCall(call: () => Promise<DebugResult>): Promise<DebugResult> {
  try {
    return await call();
  } catch (error) {
    return { isGood: false, summary: readFault(error).message };
  }
}
