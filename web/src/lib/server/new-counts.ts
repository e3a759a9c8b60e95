import type { ApolloCache, ApolloClient } from '@apollo/client';
import { graphql } from '../../gql/gql.ts';
import { countNewCar, newCarCount } from '../state/new-cars.ts';

const NewCountsDocument = graphql(`
  query NewCounts($alertIds: [ID!]) {
    me {
      id
      newCount
    }
    alerts(ids: $alertIds) {
      id
      matchCount
      newCount
    }
  }
`);

/** The alerts that one call may name. */
const MAX_IDS = 100;

/** Asks the server how many cars are new and how many match, after something has changed it. A failure is not reported. */
export async function readNewCounts(client: ApolloClient, alertIds?: readonly string[]): Promise<void> {
  const named = alertIds && alertIds.length <= MAX_IDS ? [...alertIds] : null;
  const { data } = await client
    .query({ query: NewCountsDocument, variables: { alertIds: named }, fetchPolicy: 'network-only' })
    .catch(() => ({ data: undefined }));
  if (data) newCarCount.set(data.me?.newCount ?? null);
}

/** Counts a match that arrived live, also for its alert where that is on screen. */
export function countLiveMatch(cache: ApolloCache, match: Parameters<typeof countNewCar>[0]): void {
  if (!countNewCar(match)) return;
  cache.modify({
    id: cache.identify({ __typename: 'Alert', id: match.alert.id }) ?? '',
    fields: { newCount: (count: unknown) => (typeof count === 'number' ? count + 1 : count) },
  });
}
