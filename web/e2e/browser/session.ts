import type { BrowserContext } from 'playwright-core';

/** Everyone's but the admin's. */
export const PASSWORD = 'secret-1';

export type Cookies = Parameters<BrowserContext['addCookies']>[0];

/** Someone with an account, and with the session that a browser of theirs would hold. */
export interface Account {
  name: string;
  email: string;
  cookies: Cookies;
}

export interface Person extends Account {
  /** Asks the API as this person. @throws what it refused */
  ask<T>(query: string, variables?: Record<string, unknown>): Promise<T>;
}

/** Asks the API at `url`, with a session's cookie as `name=value`. */
export function post(url: string, query: string, variables: unknown, cookie = ''): Promise<Response> {
  return fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify({ query, variables }),
  });
}

/** The cookies that a register or login sets. @throws what it answered when it sets none */
async function sessionFrom(url: string, answer: Response): Promise<Cookies> {
  const pair = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const at = pair.indexOf('=');
  if (at < 1) throw new Error(`no session: ${await answer.text()}`);
  return [{ name: pair.slice(0, at), value: pair.slice(at + 1), url }];
}

/** `name=value`, as a request's header wants it. */
export const cookieOf = ({ cookies }: Account): string => `${cookies[0]?.name}=${cookies[0]?.value}`;

/** Registers over the API, which is quicker than the form. */
export async function register(url: string, name: string, password: string): Promise<Account> {
  const email = `${name}@example.com`;
  const input = { username: name, password, email };
  const answer = await post(url, 'mutation ($input: RegisterInput!) { register(input: $input) { id } }', { input });
  return { name, email, cookies: await sessionFrom(url, answer) };
}

/** A session of its own for someone who has an account. */
export async function logIn(url: string, name: string, password: string): Promise<Account> {
  const mutation =
    'mutation ($name: String!, $password: String!) { login(username: $name, password: $password) { id } }';
  return { name, email: '', cookies: await sessionFrom(url, await post(url, mutation, { name, password })) };
}

/** Someone who can ask the API at `url`; without cookies, as a visitor. */
export const personAt = (url: string, account: Account): Person => ({
  ...account,
  async ask<T>(query: string, variables: Record<string, unknown> = {}) {
    const answer = await post(url, query, variables, account.cookies.length > 0 ? cookieOf(account) : '');
    const { data, errors } = (await answer.json()) as { data: T; errors?: unknown };
    if (errors) throw new Error(JSON.stringify(errors));
    return data;
  },
});
