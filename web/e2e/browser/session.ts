import type { BrowserContext } from 'playwright-core';
import type { Pool } from '../../../api/src/base/database.ts';

/** The password of every user but the admin. */
export const PASSWORD = 'secret-1';

export type Cookies = Parameters<BrowserContext['addCookies']>[0];

/** A user with the session of one browser. */
export interface Account {
  name: string;
  email: string;
  cookies: Cookies;
}

export interface Person extends Account {
  /** Calls the API as this user. @throws the refusal */
  ask<T>(query: string, variables?: Record<string, unknown>): Promise<T>;
}

/** Calls the API at `url`, with a session's cookie as `name=value`. */
export function post(url: string, query: string, variables: unknown, cookie = ''): Promise<Response> {
  return fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify({ query, variables }),
  });
}

/** The cookies that registering or signing in sets. @throws the answer if it sets none */
async function sessionFrom(url: string, answer: Response): Promise<Cookies> {
  const pair = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const at = pair.indexOf('=');
  if (at < 1) throw new Error(`no session: ${await answer.text()}`);
  return [{ name: pair.slice(0, at), value: pair.slice(at + 1), url }];
}

/** The cookies as a request's header, `name=value`. */
export const cookieOf = ({ cookies }: Account): string => `${cookies[0]?.name}=${cookies[0]?.value}`;

/** Registers over the API, which is quicker than the form. */
export async function register(url: string, name: string, password: string): Promise<Account> {
  const email = `${name}@example.com`;
  const input = { username: name, password, email };
  const answer = await post(url, 'mutation ($input: RegisterInput!) { register(input: $input) { id } }', { input });
  return { name, email, cookies: await sessionFrom(url, answer) };
}

/** Signs a user in with a new session. */
export async function logIn(url: string, name: string, password: string): Promise<Account> {
  const mutation =
    'mutation ($name: String!, $password: String!) { login(username: $name, password: $password) { id } }';
  return { name, email: '', cookies: await sessionFrom(url, await post(url, mutation, { name, password })) };
}

/** A caller of the API at `url`; without cookies it is a visitor. */
export const personAt = (url: string, account: Account): Person => ({
  ...account,
  async ask<T>(query: string, variables: Record<string, unknown> = {}) {
    const answer = await post(url, query, variables, account.cookies.length > 0 ? cookieOf(account) : '');
    const { data, errors } = (await answer.json()) as { data: T; errors?: unknown };
    if (errors) throw new Error(JSON.stringify(errors));
    return data;
  },
});

/** Creates an alert over the API. @returns its id */
export async function createAlert(person: Person, input: Record<string, unknown>): Promise<string> {
  const mutation = 'mutation ($input: AlertInput!) { createAlert(input: $input) { id } }';
  return (await person.ask<{ createAlert: { id: string } }>(mutation, { input })).createAlert.id;
}

/** Makes the password of all of a user's sessions appear to have been given that many minutes earlier. */
export async function letMinutesPass(pool: Pick<Pool, 'query'>, { name }: Pick<Account, 'name'>, minutes: number) {
  const { rows } = await pool.query<{ id: string }>('select id::text from users where username = $1', [name]);
  await pool.query(
    `update session set sess = jsonb_set(sess::jsonb, '{passwordGivenAt}',
       to_jsonb((sess ->> 'passwordGivenAt')::int8 - $2::int8))::json
      where sess ->> 'userId' = $1`,
    [rows[0]?.id, minutes * 60_000],
  );
}
