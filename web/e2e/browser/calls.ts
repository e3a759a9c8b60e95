import type { Page, Route } from 'playwright-core';

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

const withoutData = new WeakSet<Page>();

/** Lets the pages that are loaded from now on ask for all their data, as when the server could not send it in time. */
export async function leaveOutFirstData(page: Page): Promise<void> {
  if (withoutData.has(page)) return;
  withoutData.add(page);
  await page.addInitScript(() => {
    const remove = () => document.getElementById('first-data')?.remove();
    new MutationObserver(remove).observe(document, { childList: true, subtree: true });
  });
}

/** Routes this page's calls of these operations to `handle`; '*' means all. @returns a function that ends it */
export async function intercept(page: Page, operations: string | string[], handle: (route: Route) => Promise<void>) {
  await leaveOutFirstData(page);
  const chosen = new Set([operations].flat());
  const onCall = (route: Route) => {
    const { operationName = '' } = (route.request().postDataJSON() ?? {}) as Partial<Call>;
    return chosen.has('*') || chosen.has(operationName) ? handle(route) : route.fallback();
  };
  await page.route('**/graphql', onCall);
  return () => page.unroute('**/graphql', onCall);
}

type Me = Record<string, unknown> & { subscription: object };

/** Changes the server's answer about the signed-in user. */
export const changeViewer = (page: Page, change: (me: Me) => unknown) =>
  intercept(page, 'Viewer', async (route) => {
    const response = await route.fetch();
    const json = (await response.json()) as { data: { me: Me } };
    change(json.data.me);
    await route.fulfill({ response, json });
  });
