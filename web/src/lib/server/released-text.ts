import type { ApolloClient } from '@apollo/client';
import { graphql } from '../../gql/gql.ts';
import { releasedWords } from '../text/hold-words.ts';

const WaitingDocument = graphql(`
  query Waiting($ids: [ID!]) {
    me {
      id
      timeZone
    }
    alerts(ids: $ids) {
      id
      isActive
      waiting {
        reason
        dueAt
      }
    }
  }
`);

/**
 * Asks the server what still holds messages after a rule has ended, for the toast about it.
 * @param ids of alerts; all of the viewer's unless given
 */
export async function releasedText(client: ApolloClient, ids: string[] | null = null): Promise<string> {
  const result = await client
    .query({ query: WaitingDocument, variables: { ids }, fetchPolicy: 'no-cache' })
    .catch(() => null);
  const { me, alerts } = result?.data ?? {};
  if (!me || !alerts) return 'What waited leaves as soon as no other rule holds it.';
  const watching = alerts.filter(({ isActive }) => isActive).map(({ waiting }) => waiting);
  return releasedWords(watching, new Date(), me.timeZone);
}
