import { type Client, createClient } from 'graphql-ws';
import { Secret, TOTP } from 'otpauth';
import { WebSocket } from 'ws';

export interface GraphqlAnswer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: the query decides the shape
  data: any;
  errors: { message: string; path?: (string | number)[]; extensions: Record<string, unknown> }[];
}

export interface Browser {
  /** The session's cookie, as name=value. */
  cookie: string | undefined;
  /** The cookie of a device that has signed in before, as name=value. */
  device: string | undefined;
  /** The Set-Cookie header of the session in the last answer. */
  lastSetCookie: string | null;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  gql(query: string, variables?: Record<string, unknown>, headers?: Record<string, string>): Promise<GraphqlAnswer>;
  login(username: string, password?: string, code?: string): Promise<GraphqlAnswer>;
  /** Creates an alert, for Camrys around Los Angeles unless told otherwise. @returns its id */
  createAlert(input?: Record<string, unknown>): Promise<number>;
  register(username: string, more?: Record<string, unknown>): Promise<number>;
  /** A graphql-ws client that doesn't reconnect. */
  socket(headers?: Record<string, string>): Client;
}

/** A client that keeps cookies as a browser does and sends the page's Origin with writes. */
export function makeBrowser(url: string, origin: string | null = url): Browser {
  const browser: Browser = {
    cookie: undefined,
    device: undefined,
    lastSetCookie: null,
    async fetch(path, init = {}) {
      const headers = new Headers(init.headers);
      const cookies = [browser.cookie, browser.device].filter((pair) => pair !== undefined);
      if (cookies.length > 0) headers.set('cookie', cookies.join('; '));
      if (origin && !headers.has('origin') && init.method && init.method !== 'GET') headers.set('origin', origin);
      const response = await fetch(url + path, { ...init, headers, redirect: 'manual' });
      browser.lastSetCookie = null;
      for (const line of response.headers.getSetCookie()) {
        const [pair = ''] = line.split(';');
        if (pair.includes('_device=')) {
          browser.device = pair;
          continue;
        }
        browser.lastSetCookie = line;
        browser.cookie = pair.endsWith('=') ? undefined : pair;
      }
      return response;
    },
    async gql(query, variables = {}, headers = {}) {
      const response = await browser.fetch('/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ query, variables }),
      });
      const body = (await response.json()) as Partial<GraphqlAnswer>;
      return { status: response.status, headers: response.headers, data: body.data, errors: body.errors ?? [] };
    },
    login: (u, p = 'secret-1', c = undefined) =>
      browser.gql(
        'mutation ($u: String!, $p: String!, $c: String) { login(username: $u, password: $p, code: $c) { id } }',
        { u, p, c },
      ),
    async createAlert(input = {}) {
      const { data, errors } = await browser.gql(
        'mutation ($input: AlertInput!) { createAlert(input: $input) { id } }',
        {
          input: { make: 'toyota', model: 'camry', location: 'Los Angeles, CA', radius: 50, ...input },
        },
      );
      if (errors[0]) throw new Error(errors[0].message);
      return Number(data.createAlert.id);
    },
    async register(username, more = {}) {
      const answer = await browser.gql('mutation ($input: RegisterInput!) { register(input: $input) { id } }', {
        input: { username, password: 'secret-1', email: `${username}@example.test`, ...more },
      });
      if (answer.errors[0]) throw new Error(answer.errors[0].message);
      return Number(answer.data.register.id);
    },
    socket(headers = {}) {
      class Socket extends WebSocket {
        constructor(address: string, protocols: string | string[]) {
          super(address, protocols, {
            headers: { ...(browser.cookie && { cookie: browser.cookie }), ...(origin && { origin }), ...headers },
          });
        }
      }
      return createClient({
        url: `${url.replace('http', 'ws')}/graphql`,
        webSocketImpl: Socket,
        retryAttempts: 0,
        onNonLazyError() {},
      });
    },
  };
  return browser;
}

/** The code that an authenticator app shows for a secret. @param periodsFromNow in periods of 30 seconds */
export const appCode = (secret: string, periodsFromNow = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + periodsFromNow * 30_000 });
