/** The signed-in user, as the playground shows it. */
export interface Viewer {
  id: string;
  username: string;
}

/** `undefined` while it isn't known, null for a visitor. */
export type Known = Viewer | null | undefined;

/** The address of the sign-in, which leads back here. */
export const signInHref = '/auth?from=/playground';

/** Fetches the signed-in user; null for a visitor. @throws if the server can't be reached */
export async function fetchViewer(): Promise<Viewer | null> {
  const answer = await fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: 'query PlaygroundViewer { me { id username } }' }),
  });
  const { data } = (await answer.json()) as { data?: { me: Viewer | null } };
  if (!data) throw new Error(`The server answered ${answer.status}`);
  return data.me;
}
