import { createGraphiQLFetcher, type Fetcher } from '@graphiql/toolkit';

/** Queries and mutations over HTTP, subscriptions over graphql-ws; both with the session's cookie or the headers given. */
export function makeFetcher(): Fetcher {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  return createGraphiQLFetcher({
    url: '/graphql',
    // A client of its own for each subscription: the headers go along as its connection parameters.
    subscriptionUrl: `${scheme}://${location.host}/graphql`,
    enableIncrementalDelivery: false,
  });
}
