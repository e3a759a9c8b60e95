import type { Page } from 'playwright-core';

interface Call {
  operationName: string;
  variables: unknown;
}

/** Collects the GraphQL calls that the page makes over HTTP from now on. */
export function collectCalls(page: Page): readonly Call[] {
  const calls: Call[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/graphql') && request.method() === 'POST') calls.push(request.postDataJSON());
  });
  return calls;
}

type Me = Record<string, unknown> & { subscription: object };

/** Changes the server's answer about the signed-in user. */
export const changeViewer = (page: Page, change: (me: Me) => unknown) =>
  page.route('**/graphql', async (route) => {
    const call = (route.request().postDataJSON() ?? {}) as { operationName?: string };
    if (call.operationName !== 'Viewer') return route.fallback();
    const response = await route.fetch();
    const json = (await response.json()) as { data: { me: Me } };
    change(json.data.me);
    return route.fulfill({ response, json });
  });
