/** Who is signed in, as far as the playground shows it. */
export interface Viewer {
  id: string;
  username: string;
}

/** `undefined` while it isn't known, null for a visitor. */
export type Known = Viewer | null | undefined;

/** Leads back here. */
export const signInHref = '/auth?from=/playground';

/** Asks the server who is signed in: null for a visitor. @throws when it can't be asked */
export async function askViewer(): Promise<Viewer | null> {
  const answer = await fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: 'query PlaygroundViewer { me { id username } }' }),
  });
  const { data } = (await answer.json()) as { data?: { me: Viewer | null } };
  if (!data) throw new Error(`The server answered ${answer.status}`);
  return data.me;
}
