import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { createClient } from 'graphql-ws';
import { liveConnection } from './live-connection.ts';

const firstDelayMs = 500;
const maxDelayMs = 5_000;
const pingEveryMs = 10_000;
const ackWithinMs = 10_000;
const pongWithinMs = 5_000;

/** The websocket half of the client; loaded only when the first subscription starts. It never gives up. */
export function makeLiveLink(): GraphQLWsLink {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  let silence: ReturnType<typeof setTimeout> | undefined;
  const client = createClient({
    url: `${scheme}://${location.host}/graphql`,
    lazy: true,
    retryAttempts: Number.POSITIVE_INFINITY,
    shouldRetry: () => true,
    // Jitter keeps browsers from reconnecting all at the same time after a restart.
    retryWait: async (retries) => {
      const delayMs = Math.min(maxDelayMs, firstDelayMs * 2 ** retries) * (0.5 + Math.random() / 2);
      await new Promise((resolve) => setTimeout(resolve, delayMs));
    },
    keepAlive: pingEveryMs,
    connectionAckWaitTimeout: ackWithinMs,
    on: {
      connecting: () => {
        if (liveConnection.get() !== 'lost') liveConnection.set('connecting');
      },
      connected: () => liveConnection.set('connected'),
      closed: (event) => {
        clearTimeout(silence);
        liveConnection.set(isNormalClose(event) ? 'idle' : 'lost');
      },
      // A broken connection counts as open for minutes, so a missing answer to a ping closes it.
      ping: (wasReceived) => {
        if (!wasReceived) silence = setTimeout(() => client.terminate(), pongWithinMs);
      },
      pong: (wasReceived) => {
        if (wasReceived) clearTimeout(silence);
      },
    },
  });
  return new GraphQLWsLink(client);
}

function isNormalClose(event: unknown): boolean {
  return event instanceof CloseEvent && event.code === 1000;
}
