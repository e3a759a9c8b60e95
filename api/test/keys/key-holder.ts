import { type Client, createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { type Browser, type GraphqlAnswer, makeBrowser } from '../browser.ts';
import type { TestApi } from '../make-app.ts';

/** A program that calls with an API key, without a cookie and without an Origin. */
export interface KeyHolder {
  id: string;
  secret: string;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  gql(query: string, variables?: Record<string, unknown>): Promise<GraphqlAnswer>;
  /**
   * A graphql-ws client that sends its key in the connection's parameters and doesn't reconnect. It connects at once
   * and closes only when told, so that a refused operation can't close the socket before the server does.
   */
  socket(options?: SocketOptions): Client;
}

interface SocketOptions {
  /** Parameters to send in place of those with the key. */
  parameters?: Record<string, unknown>;
  /** Headers of the upgrade request. */
  headers?: Record<string, string>;
  onClosed?: (event: { code: number; reason: string }) => void;
}

export function makeKeyHolder(url: string, { id = '', secret }: { id?: string; secret: string }): KeyHolder {
  const program = makeBrowser(url, null);
  const authorization = `Bearer ${secret}`;
  return {
    id,
    secret,
    fetch: (path, init = {}) =>
      fetch(url + path, { ...init, headers: { ...Object.fromEntries(new Headers(init.headers)), authorization } }),
    gql: (query, variables = {}) => program.gql(query, variables, { authorization }),
    socket({ parameters = { Authorization: authorization }, headers = {}, onClosed } = {}) {
      class Socket extends WebSocket {
        constructor(address: string, protocols: string | string[]) {
          super(address, protocols, { headers });
        }
      }
      return createClient({
        url: `${url.replace('http', 'ws')}/graphql`,
        webSocketImpl: Socket,
        connectionParams: parameters,
        retryAttempts: 0,
        lazy: false,

        onNonLazyError() {},
        on: { closed: (event) => onClosed?.(event as { code: number; reason: string }) },
      });
    },
  };
}

export const createKey =
  'mutation ($name: String!, $scopes: [ApiScope!]!) { createApiKey(name: $name, scopes: $scopes) { apiKey { id name prefix scopes state } secret } }';

/** Makes an API key for the user who is signed in. */
export async function makeKey(api: Pick<TestApi, 'url'>, browser: Browser, scopes = ['write']): Promise<KeyHolder> {
  const { data, errors } = await browser.gql(createKey, { name: 'A key', scopes });
  if (errors[0]) throw new Error(errors[0].message);
  const { apiKey, secret } = data.createApiKey;
  return makeKeyHolder(api.url, { id: apiKey.id, secret });
}

export const setPlan = (api: Pick<TestApi, 'db'>, userId: number, planId: number) =>
  api.db.pool.query('update users set plan_id = $2 where id = $1', [userId, planId]);

/** Registers a user on the Elite plan. */
export async function makeDealer(api: TestApi, username: string): Promise<{ browser: Browser; userId: number }> {
  const { browser, id: userId } = await api.user(username);
  await setPlan(api, userId, 4);
  return { browser, userId };
}
